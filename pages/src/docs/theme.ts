import { browserStore } from '../design/storage.ts';

/* Runs before the page is painted: the colours somebody chose, else the system's. */
document.documentElement.style.colorScheme = browserStore.getItem('assay.colours') ?? '';
