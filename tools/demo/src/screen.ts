/**
 * Prints the demo: on a terminal the line of an evidence is rewritten as it goes on, otherwise each
 * stage is a line.
 */
export const createScreen = (out: NodeJS.WriteStream) => {
  const label = (text: string): string => `  ${text.padEnd(12)}`;
  let open: { name: string; stages: string[] } | undefined;
  const rewrite = (end: string): void => {
    if (open) out.write(`\r\u001b[K${label(open.name)}${open.stages.join(' → ')}${end}`);
  };
  return {
    line: (name: string, text: string): void => {
      out.write(`${label(name)}${text}\n`);
    },
    begin: (name: string): void => {
      open = { name, stages: [] };
    },
    stage: (stage: string): void => {
      if (!open || open.stages.includes(stage)) return;
      open.stages.push(stage);
      if (out.isTTY) rewrite('');
      else out.write(`${label(open.name)}${stage}\n`);
    },
    end: (text: string): void => {
      if (out.isTTY) rewrite(`  ${text}\n`);
      else if (open) out.write(`${label(open.name)}${text}\n`);
      open = undefined;
    },
    table: (rows: Record<string, string>[]): void => {
      const columns = Object.keys(rows[0] ?? {});
      const width = (column: string) => Math.max(column.length, ...rows.map((row) => (row[column] ?? '').length));
      const print = (cells: string[]): void => {
        out.write(`  ${cells.map((cell, i) => cell.padEnd(width(columns[i]!))).join('  ')}\n`);
      };
      out.write('\n');
      print(columns);
      print(columns.map((column) => '-'.repeat(width(column))));
      for (const row of rows) print(columns.map((column) => row[column] ?? ''));
    },
  };
};
