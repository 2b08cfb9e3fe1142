import { fileURLToPath } from 'node:url'
import { collectProofs, type Proof } from '../options/collect-proofs.ts'
import { GAPS } from '../options/gaps.ts'
import { listOptions } from '../options/list-options.ts'
import type { Chapter, SpecOption } from '../options/option.ts'
import { type Spelling, sampleOptions } from '../options/samples.ts'
import { code, GENERATED, type Page, toTable } from './page.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

function proofCell(proofs: readonly Proof[], gap: string | undefined): string {
  if (gap !== undefined) return `**not yet**: ${gap}`
  return [...groupByFile(proofs)]
    .map(([file, of]) => {
      const titles = [...new Set(of.map(({ title }) => title))].join('; ')
      return `[${file.replace(/^test\//, '').replace(/\.test\.ts$/, '')}](../../${file}): ${titles}`
    })
    .join('<br>')
}

function groupByFile(proofs: readonly Proof[]): Map<string, Proof[]> {
  const groups = new Map<string, Proof[]>()
  for (const proof of proofs) groups.set(proof.file, [...(groups.get(proof.file) ?? []), proof])
  return groups
}

/** The spelling of an option in a language, with a link to a sample that has it. */
function sampleCell(spelling: Spelling | undefined): string {
  return spelling === undefined ? '' : `[${code(spelling.text)}](../../${spelling.file})`
}

/** docs/reference/options.md: every option of the schema language, with the test that proves it. */
export function renderOptionsPage(): Page {
  const options = listOptions()
  const proofs = collectProofs(ROOT)
  const samples = sampleOptions(options)
  const chapters = new Map<Chapter, SpecOption[]>()
  for (const option of options) chapters.set(option.chapter, [...(chapters.get(option.chapter) ?? []), option])
  const gaps = options.filter(({ id }) => Object.hasOwn(GAPS, id)).length
  const parts = [
    `# Options and their tests\n\n${GENERATED}\n`,
    'This page lists every option of the schema language with its tests. The tests use a real database, except those of `svc compile` and\nof behaviour before a database is used. A comment above a test names the options that it proves, `// proves: field.column`; a check fails\nfor an option without a test.\n',
    'The columns TypeScript and Python show how the option is written, with a link to a sample. Both samples give the same schema.json,\nbyte for byte, and the same compiled schema. An option of svc.toml, and behaviour that no option sets, has no entry there.\n',
    `${options.length - gaps} of ${options.length} options have a test.${gaps === 0 ? '' : ` The other ${gaps} are marked **not yet**.`}\n`,
  ]
  for (const [{ title }, of] of chapters) {
    const isDeclared = of.some(({ id }) => samples.has(id))
    const rows = of.map(({ id, text }) => {
      const languages = [sampleCell(samples.get(id)?.typescript), sampleCell(samples.get(id)?.python)]
      const tests = proofCell(
        proofs.filter((proof) => proof.id === id),
        GAPS[id],
      )
      return [code(id), text, ...(isDeclared ? languages : []), tests]
    })
    const head = ['Option', 'Meaning', ...(isDeclared ? ['TypeScript', 'Python'] : []), 'Tests']
    parts.push(`## ${title}\n`, `${toTable(head, rows)}\n`)
  }
  return { path: 'docs/reference/options.md', content: parts.join('\n') }
}
