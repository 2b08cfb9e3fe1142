import { explain } from '../mutation/explained.ts'
import { shorten } from '../mutation/made-mutant.ts'
import { readResults, scoreOf } from '../mutation/results.ts'
import { ROOMS } from '../mutation/rooms.ts'
import { code, GENERATED, type Page, toTable } from './page.ts'

/** The last result of `npm run mutation -- --record` for each folder. */
export function renderMutationPage(): Page {
  const results = readResults()
  const judged = ROOMS.flatMap(({ name, folder }) => {
    const result = results[name]
    return result === undefined ? [] : [{ folder, result }]
  })
  const rows = judged.map(({ folder, result }) => [
    code(folder),
    String(result.mutants),
    String(result.sampled),
    String(result.killed),
    String(result.timedOut),
    String(result.survived.length),
    `${scoreOf(result).toFixed(0)} %`,
  ])
  const missing = ROOMS.filter(({ name }) => results[name] === undefined).map(({ folder }) => code(folder))
  const survivors = judged.flatMap(({ result }) =>
    result.survived.map((survivor) => [
      code(survivor.file),
      inTable(survivor.original),
      inTable(survivor.replacement),
      explain(survivor) ?? (survivor.uncovered === true ? 'No test of the room runs it.' : 'Not looked into yet.'),
    ]),
  )
  const content = `${GENERATED}
# Mutation testing

\`npm run mutation\` asks whether the tests of the rooms that decide who may see and do what would notice a fault. The instrumenter of [Stryker](https://stryker-mutator.io) writes
every small change it knows (a condition that is always true, \`<\` for \`<=\`, an empty block, a word that is empty, a regular expression without its \`^\`) into a copy of the sources, each behind a switch. For one change at a time the
test files that run its line run again, the room's own first.

    npm run mutation -- --room=jwt --sample=40 --seed=1

- \`--room\` may stand several times; without it all rooms run, without \`--sample\` all their mutants. That takes a night, and is no part of CI.
- A sample is chosen by its seed and by the code of each mutant, not by its line: the same code and seed give the same sample.
- A mutant that makes the tests hang was noticed; it is counted apart. One that no test runs has survived.
- \`--record\` keeps the result for this page, \`--again\` runs only the survivors that were kept, \`--verbose\` tells which test noticed which mutant. Below 85 % in a room the command ends with 1.
- Left out are sentences that people read (descriptions of options, messages of errors and of the log) and examples of options: they decide nothing.

It needs the packages of \`npm run tools\`, and the services that the tests of the rooms need. Faults that somebody thought of, which no such tool makes, are in \`npm run mutants\`.

${toTable(['Room', 'Mutants', 'Sampled', 'Killed', 'Timed out', 'Survived', 'Score'], rows)}
${missing.length === 0 ? '' : `\nNot recorded yet: ${missing.join(', ')}.\n`}
## Survivors

${survivors.length === 0 ? 'None.' : toTable(['File', 'Code', 'Instead', 'Why no test notices'], survivors)}
`
  return { path: 'docs/explain/mutation-testing.md', content }
}

/** Code within a cell: backticks of its own would end it. */
function inTable(text: string): string {
  const line = shorten(text)
  return line.includes('`') ? `\`\` ${line} \`\`` : code(line)
}
