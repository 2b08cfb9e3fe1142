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
      explain(survivor) ?? (survivor.uncovered === true ? 'No test of the room executes it.' : 'Not examined yet.'),
    ]),
  )
  const content = `${GENERATED}
# Mutation testing

\`npm run mutation\` checks whether the tests of the folders with security decisions (*rooms*) detect faults. The instrumenter of [Stryker](https://stryker-mutator.io) writes
every small change it knows (a condition that is always true, \`<\` for \`<=\`, an empty block, an empty text, a regular expression without its \`^\`) into a copy of the sources, each behind a switch. For one change at a time,
the test files that execute its line run again, the room's own first.

    npm run mutation -- --room=jwt --sample=40 --seed=1

- \`--room\` can be repeated. By default all rooms run, and without \`--sample\` all their mutants. That takes a night, and is not part of CI.
- The seed and the code of each mutant select the sample, not its line: the same code and seed give the same sample.
- A mutant that makes the tests hang counts as detected, separately. A mutant that no test executes has survived.
- \`--record\` stores the result for this page, \`--again\` runs only the stored survivors, \`--verbose\` prints the test that detected each mutant. If a room has less than 85 %, the exit code is 1.
- Sentences for people (descriptions of options, messages of errors and of the log) and examples of options are not mutated, because no behaviour depends on them.

It needs the packages of \`npm run tools\`, and the services of the rooms' tests. \`npm run mutants\` contains hand-made faults that no such tool makes.

${toTable(['Room', 'Mutants', 'Sampled', 'Killed', 'Timed out', 'Survived', 'Score'], rows)}
${missing.length === 0 ? '' : `\nNot recorded yet: ${missing.join(', ')}.\n`}
## Survivors

${survivors.length === 0 ? 'None.' : toTable(['File', 'Code', 'Replacement', 'Reason'], survivors)}
`
  return { path: 'docs/explain/mutation-testing.md', content }
}

/** Code within a cell: backticks of its own would end it. */
function inTable(text: string): string {
  const line = shorten(text)
  return line.includes('`') ? `\`\` ${line} \`\`` : code(line)
}
