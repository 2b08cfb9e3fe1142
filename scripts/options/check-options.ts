import { didYouMean } from '../../core/base/util/nearest.ts'
import type { Proof } from './collect-proofs.ts'
import type { SpecOption } from './option.ts'

/** @returns errors of the list, its gaps and the marks of the tests; empty if there are none */
export function checkOptions(
  options: readonly SpecOption[],
  gaps: Readonly<Record<string, string>>,
  proofs: readonly Proof[],
): readonly string[] {
  const ids = new Map(options.map((option) => [option.id, option]))
  const problems: string[] = []
  for (const { id, file, line, hasDatabase } of proofs) {
    const option = ids.get(id)
    if (option === undefined)
      problems.push(`${file}:${line} proves "${id}", which is no option.${didYouMean(id, ids.keys())}`)
    else if (option.chapter.proof === 'database' && !hasDatabase) {
      problems.push(`${file}:${line} proves "${id}" and opens no database.`)
    }
  }
  const proven = new Set(proofs.map(({ id }) => id))
  for (const { id } of options) {
    const isGap = Object.hasOwn(gaps, id)
    if (proven.has(id) && isGap) problems.push(`"${id}" has a test: take it out of scripts/options/gaps.ts.`)
    if (proven.has(id) || isGap) continue
    problems.push(`"${id}" has no test. Write "// proves: ${id}" above the one that proves it, against a database.`)
  }
  for (const id of Object.keys(gaps)) {
    if (!ids.has(id))
      problems.push(`scripts/options/gaps.ts names "${id}", which is no option.${didYouMean(id, ids.keys())}`)
  }
  return problems
}
