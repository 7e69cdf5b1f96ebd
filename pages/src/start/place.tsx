export interface PlaceProps {
  href: string;
  title: string;
  what: string;
}

/** A link with what is there. */
export const Place = ({ href, title, what }: PlaceProps) => (
  <li>
    <a class="place" href={href}>
      <strong>{title}</strong>
      <span>{what}</span>
    </a>
  </li>
);
