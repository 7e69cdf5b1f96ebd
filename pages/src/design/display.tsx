import type { ComponentChildren } from 'preact';

export type Tone = 'good' | 'warn' | 'bad' | 'info';

/** A state in a word. */
export const Badge = ({ tone, children }: { tone?: Tone | undefined; children: ComponentChildren }) => (
  <span class={`badge ${tone ?? ''}`}>{children}</span>
);

/** A surface of its own. */
export const Card = ({ children }: { children: ComponentChildren }) => <section class="card">{children}</section>;

/** A message that assistive technology reads when it appears. */
export const Message = ({ children }: { children: ComponentChildren }) => (
  <p role="alert" class="message">
    {children}
  </p>
);

/** A message that stays in the text. */
export const Note = ({ tone, children }: { tone?: Tone; children: ComponentChildren }) => (
  <div class={`note ${tone ?? ''}`}>{children}</div>
);

/** What is shown where there is nothing to list. */
export const Empty = ({ children }: { children: ComponentChildren }) => (
  <p role="status" class="empty">
    {children}
  </p>
);

interface StepsProps {
  label: string;
  count: number;
  current: number;
}

/** How far a sequence of steps has come; `label` says it in words. */
export const Steps = ({ label, count, current }: StepsProps) => (
  <ol class="steps" aria-label={label}>
    {Array.from({ length: count }, (_, at) => (
      <li key={at} class={at < current ? 'done' : ''} aria-current={at === current ? 'step' : undefined}>
        <span class="visually-hidden">{at + 1}</span>
      </li>
    ))}
  </ol>
);

/** The name of the column whose cells are buttons; only assistive technology reads it. */
export const ACTS = 'Actions';

export interface TableProps {
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly ComponentChildren[])[];
}

/** Rows under columns; the first cell of a row names it. */
export const Table = ({ caption, columns, rows }: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the frame scrolls, so the keyboard must reach it
  <section class="table-frame" tabIndex={0} aria-label={caption}>
    <table class="table rows">
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column === ACTS ? <span class="visually-hidden">{ACTS}</span> : column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first, ...others], at) => (
          <tr key={at}>
            <th scope="row">{first}</th>
            {others.map((cell, at) => (
              <td key={at} data-column={columns[at + 1]} class={columns[at + 1] === ACTS ? 'acts' : undefined}>
                <div>{cell}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

interface TitleProps {
  children: ComponentChildren;
  /** What can be done there. */
  acts?: ComponentChildren;
}

/** What a page is about, with what can be done there at its end. */
export const Title = ({ children, acts }: TitleProps) => (
  <div class="title">
    <h1>{children}</h1>
    {acts && <div class="acts">{acts}</div>}
  </div>
);

/** Names and their values, side by side. */
export const Facts = ({ items }: { items: readonly (readonly [name: string, value: ComponentChildren])[] }) => (
  <dl class="facts">
    {items.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
