import { Tabs } from '../design/controls.tsx';
import { addressOf } from './address.ts';
import { Checks } from './checks.tsx';
import { People } from './people.tsx';
import { SigningKeys } from './signing-keys.tsx';

const TABS = [
  ['checks', 'Checks'],
  ['signing-keys', 'Signing keys'],
  ['people', 'People'],
] as const;
const VIEWS = { checks: Checks, 'signing-keys': SigningKeys, people: People } as const;

/** What belongs to the whole suite: its fitness for production, its signing keys, its staff. */
export const Suite = ({ tab }: { tab: string | undefined }) => {
  const open = TABS.find(([name]) => name === tab)?.[0] ?? 'checks';
  const View = VIEWS[open];
  return (
    <>
      <h1>Suite</h1>
      <p class="lead">What belongs to no tenant: whether the suite is fit for production, who signs, who works here.</p>
      <Tabs
        label="Parts of the suite"
        value={open}
        options={TABS}
        onSelect={(name) => {
          location.hash = addressOf('suite', name);
        }}
      />
      <View />
    </>
  );
};
