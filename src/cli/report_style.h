// The look of the page: readable on a phone and on paper, light or dark as the reader has it.
#pragma once

#include <string_view>

namespace coterie::cli {

inline constexpr std::string_view kReportStyle = R"css(
:root {
  --ink: #1c2024; --soft: #5b6570; --paper: #ffffff; --edge: #dfe3e8; --wash: #f5f7f9;
  --link: #0b5cad; --good: #11703c; --good-wash: #e2f4e9; --bad: #a12020; --bad-wash: #fbe6e4;
  --open: #6a5200; --open-wash: #fbf2d5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e4e8ec; --soft: #9aa5b1; --paper: #15191d; --edge: #323a42; --wash: #1e2429;
    --link: #7db7f2; --good: #7fd6a2; --good-wash: #173524; --bad: #f2a39b; --bad-wash: #45201d;
    --open: #e6c968; --open-wash: #3a3115;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 66rem; background: var(--paper);
  color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif;
}
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; letter-spacing: -.01em; }
h2 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 .25rem; letter-spacing: -.005em; }
h3 { font-size: 1rem; margin: 2rem 0 .5rem; }
p { margin: .5rem 0 .9rem; max-width: 46rem; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 2px; }
.soft { color: var(--soft); }
section { border-top: 1px solid var(--edge); margin-top: 3rem; padding-top: 2rem; }
.wide { overflow-x: auto; margin: .5rem 0 1rem; }
table { border-collapse: collapse; width: 100%; font-size: .925rem; }
th { text-align: left; font-weight: 600; border-bottom: 2px solid var(--edge); }
th, td { padding: .4rem .7rem .4rem 0; vertical-align: top; }
td { border-bottom: 1px solid var(--edge); overflow-wrap: break-word; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.sheet { width: auto; min-width: 50%; }
.sheet th { white-space: normal; vertical-align: bottom; }
.sheet td:not(.number) { min-width: 5.5rem; }
.where { white-space: nowrap; color: var(--soft); }
.counts { white-space: nowrap; }
.ruling {
  display: inline-block; padding: 0 .6em; border-radius: 1em; font-size: .85em; font-weight: 600;
  white-space: nowrap;
}
.holds { color: var(--good); background: var(--good-wash); }
.differs { color: var(--bad); background: var(--bad-wash); }
.open { color: var(--open); background: var(--open-wash); }
figure { margin: 1rem 0 1.5rem; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; display: block; }
figure svg .paper { fill: none; }
pre {
  background: var(--wash); border: 1px solid var(--edge); border-radius: 6px; padding: .6rem .8rem;
  overflow-x: auto; font: .875rem/1.45 ui-monospace, "DejaVu Sans Mono", monospace;
}
.partial { background: var(--open-wash); color: var(--open); padding: .5rem .8rem; border-radius: 6px; }
@media (max-width: 40rem) {
  body { padding: 1.25rem 1rem 3rem; }
  h1 { font-size: 1.5rem; }
  .claims thead { display: none; }
  .claims tr { display: block; border-bottom: 1px solid var(--edge); padding: .6rem 0; }
  .claims td { display: block; border: 0; padding: .1rem 0; }
  figure svg { min-width: 32rem; }
}
@media print {
  body { max-width: none; font-size: 10.5pt; padding: 0; }
  section { break-before: page; border: 0; margin: 0; padding: 0; }
  tr, figure, pre { break-inside: avoid; }
  .wide { overflow-x: visible; }
  .sheet { width: 100%; font-size: 7pt; }
  .sheet th, .sheet td { padding: .15rem .4rem .15rem 0; }
  .sheet td:not(.number) { min-width: 0; overflow-wrap: anywhere; }
  pre { white-space: pre-wrap; }
  a { color: inherit; text-decoration: none; }
}
)css";

}  // namespace coterie::cli
