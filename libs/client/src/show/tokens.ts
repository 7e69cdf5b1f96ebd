/** Made by `npm run tokens` from pages/src/design/tokens.css; change them there. */
export const TOKENS = `/* The measures and colours of every page and of the shown proof. A test checks the contrast of each pair in light and dark. */
:root {
  color-scheme: light dark;
  --ink: light-dark(#16202b, #e8edf2);
  --quiet: light-dark(#4a5865, #aab7c3);
  --paper: light-dark(#f5f7fa, #10161c);
  --surface: light-dark(#ffffff, #19212a);
  --sunken: light-dark(#ebf0f4, #131a21);
  --line: light-dark(#d3dbe3, #313d49);
  --border: light-dark(#75838f, #7c8c9c);
  --accent: light-dark(#1c56c4, #8ab6ff);
  --on-accent: light-dark(#ffffff, #0b1a30);
  --accent-soft: light-dark(#e6eefc, #1b2d47);
  --good: light-dark(#0b6b3a, #7fe0ab);
  --good-soft: light-dark(#e0f3e7, #14301f);
  --warn: light-dark(#7a4a00, #ffcf7d);
  --warn-soft: light-dark(#fdf0d9, #36290f);
  --bad: light-dark(#a11225, #ff9aa8);
  --bad-soft: light-dark(#fce7e9, #3d191f);
  --focus: light-dark(#1663c7, #8cc1ff);
  --font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  --text-s: 0.8125rem;
  --text-m: 1rem;
  --text-l: 1.125rem;
  --text-xl: 1.5rem;
  --text-2xl: 2rem;
  --space-1: 0.25rem;
  --space-2: 0.5rem;
  --space-3: 0.75rem;
  --space-4: 1rem;
  --space-5: 1.5rem;
  --space-6: 2rem;
  --space-7: 3rem;
  --radius-s: 6px;
  --radius-m: 10px;
  --radius-l: 16px;
  --shadow: 0 1px 2px light-dark(#16202b14, #0006), 0 4px 16px light-dark(#16202b14, #0006);
}
/* Phones and browsers before 2024 do not know light-dark(): they have the light colours. */
@supports not (color: light-dark(#000, #fff)) {
  :root {
    color-scheme: light;
    --ink: #16202b;
    --quiet: #4a5865;
    --paper: #f5f7fa;
    --surface: #ffffff;
    --sunken: #ebf0f4;
    --line: #d3dbe3;
    --border: #75838f;
    --accent: #1c56c4;
    --on-accent: #ffffff;
    --accent-soft: #e6eefc;
    --good: #0b6b3a;
    --good-soft: #e0f3e7;
    --warn: #7a4a00;
    --warn-soft: #fdf0d9;
    --bad: #a11225;
    --bad-soft: #fce7e9;
    --focus: #1663c7;
    --shadow: 0 1px 2px #16202b14, 0 4px 16px #16202b14;
  }
}
`;
