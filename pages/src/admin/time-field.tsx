import { Field } from '../design/controls.tsx';

/** The wire has years of four digits; browsers take six where no limit is given. */
const LATEST = '9999-12-31T23:59:59';

interface TimeFieldProps {
  label: string;
  help?: string;
  required?: boolean;
  /** As the browser writes it, without a zone; empty where there is none. */
  value: string;
  onTime: (value: string) => void;
}

/** A time in UTC. */
export const TimeField = ({ label, help, required = false, value, onTime }: TimeFieldProps) => (
  <Field label={`${label} (UTC)`} {...(help ? { help } : {})}>
    <input
      type="datetime-local"
      max={LATEST}
      required={required}
      value={value}
      onInput={({ currentTarget }) => onTime(currentTarget.value)}
    />
  </Field>
);

/** The field has no zone, the wire is in UTC and says none. */
export const timeOnWire = (value: string): string => new Date(`${value}Z`).toISOString().slice(0, -1);
