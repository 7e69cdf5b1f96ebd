import './docs.css';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { browserStore } from '../design/storage.ts';
import { Code, type Sample } from './code.tsx';
import { Search } from './search.tsx';

/**
 * What a page of the guide can do beyond being read: search, colours, code to copy. Without it the
 * page is all there.
 */

const COLOURS = [
  ['', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

const Colours = () => {
  const [chosen, setChosen] = useState(browserStore.getItem('assay.colours') ?? '');
  const choose = (colours: string): void => {
    browserStore.setItem('assay.colours', colours);
    document.documentElement.style.colorScheme = colours;
    setChosen(colours);
  };
  return (
    <select class="colours" aria-label="Colours" value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
      {COLOURS.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
};

const sampleOf = (block: Element): Sample => ({
  language: block.getAttribute('data-language') ?? '',
  label: block.querySelector('.code-label')?.textContent ?? '',
  text: block.querySelector('code')?.textContent ?? '',
});

/** Puts a block that can be copied in the place of one that can be read. */
const enliven = (place: Element, blocks: readonly Element[]): void => {
  const samples = blocks.map(sampleOf);
  const home = document.createElement('div');
  place.replaceWith(home);
  render(<Code samples={samples} />, home);
};

for (const group of document.querySelectorAll('.code-group')) enliven(group, [...group.children]);
for (const block of document.querySelectorAll('main > .code')) enliven(block, [block]);

const chapters = document.querySelector('.chapters details');
if (chapters && matchMedia('(max-width: 60rem)').matches) chapters.removeAttribute('open');

render(
  <>
    <Search />
    <Colours />
  </>,
  document.getElementById('tools')!,
);
