/** A style sheet a page takes in: the build puts it beside the script. */
declare module '*.css';
