/* Runs before the page is painted: the colours somebody chose, else the system's. */
document.documentElement.style.colorScheme = localStorage.getItem('assay.colours') ?? '';
