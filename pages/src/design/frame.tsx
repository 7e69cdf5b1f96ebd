import type { ComponentChildren } from 'preact';

/** The mark of the project: a touchstone with its streak. */
export const Mark = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <path fill="currentColor" d="M16 2 4 7v9c0 7 5 12 12 14 7-2 12-7 12-14V7z" />
    <path
      fill="none"
      stroke="var(--on-accent)"
      stroke-width="3.2"
      stroke-linecap="round"
      stroke-linejoin="round"
      d="m10.5 16.5 4 4 7.5-9"
    />
  </svg>
);

interface FrameProps {
  title: string;
  width?: 'narrow' | 'reading';
  nav?: ComponentChildren;
  children: ComponentChildren;
}

/** A page: a header that leads to the start page, its navigation, and what it is about. */
export const Frame = ({ title, width, nav, children }: FrameProps) => (
  <>
    <header class="page-header">
      <a class="brand" href="/">
        <Mark />
        {title}
      </a>
      {nav && <nav aria-label="Page">{nav}</nav>}
    </header>
    <main class={width ?? ''}>{children}</main>
  </>
);
