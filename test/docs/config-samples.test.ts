import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadConfig } from '../../core/config/load-config.ts'
import { listManifests } from '../../scripts/docs/config-sections.ts'
import { listFiles, read } from '../repo/source-files.ts'

/** Samples of TOML and JSON in the docs: each is read as the project reads it. They are pieces, in fences or indented. */

interface Sample {
  readonly place: string
  readonly text: string
}

const OTHER_FILE = /^\[mcp_servers\./
const TOML = /^\[{1,2}[\w.]+\]{1,2}\s*(?:#.*)?$/

/** Blocks of a page: what stands in a fence, with its language, and what is indented by four, without one. */
function blocksOf(path: string): readonly (Sample & { readonly language: string })[] {
  const lines = read(path).split('\n')
  const blocks: (Sample & { language: string })[] = []
  for (let at = 0; at < lines.length; at++) {
    const fence = /^```(\w*)/.exec(lines[at]!)
    const isIndented = lines[at]!.startsWith('    ') && (at === 0 || lines[at - 1] === '')
    if (fence === null && !isIndented) continue
    const start = fence === null ? at : at + 1
    const isOver = (line: string) =>
      fence === null ? !(line === '' || line.startsWith('    ')) : line.startsWith('```')
    let end = start
    while (end < lines.length && !isOver(lines[end]!)) end++
    const text = lines
      .slice(start, end)
      .map((line) => (fence === null ? line.slice(4) : line))
      .join('\n')
      .trim()
    blocks.push({ place: `${path}:${start + 1}`, text, language: fence?.[1] ?? '' })
    at = fence === null ? end - 1 : end
  }
  return blocks
}

const pages = [...listFiles('docs', '.md'), 'README.md'].filter((path) => !/decisions/.test(path))
const blocks = pages.flatMap(blocksOf)

t.test('samples of svc.toml name sections and keys that there are, with values that they take', async (t) => {
  const samples = blocks.filter(({ language, text }) =>
    language === '' ? TOML.test(text.split('\n')[0]!) : language === 'toml',
  )
  t.ok(samples.length > 40, `${samples.length} samples`)
  const folder = t.testdir({})
  const catalog = () => ({ manifests: listManifests() })
  for (const { place, text: whole } of samples) {
    // Of other programs, which have files of their own.
    if (OTHER_FILE.test(whole)) continue
    // Commands may follow.
    const lines = whole.split('\n')
    const command = lines.findIndex((line) => /^(?:\$ |curl |export |svc |[A-Z_]+=\S+ )/.test(line))
    const text = (command < 0 ? lines : lines.slice(0, command)).join('\n')
    // What a variable holds is not known here, and does not matter.
    const known = text.replaceAll(
      /\$\{(\w+)(?::-[^}]*)?\}/g,
      (_, name: string) => `${name.toLowerCase()}-of-a-sample-0123456789abcdef`,
    )
    writeFileSync(join(folder, 'svc.toml'), known)
    const said = await loadConfig({ file: 'svc.toml', cwd: folder, env: {}, catalog }).then(
      () => null,
      (error: Error) => error.message,
    )
    t.equal(said, null, place)
  }
})

t.test('samples of JSON are JSON', async (t) => {
  const samples = blocks.filter(
    ({ language, text }) => language === 'json' || (language === '' && /^[{[]\s*("|$)/.test(text)),
  )
  t.ok(samples.length > 8, `${samples.length} samples`)
  for (const { place, text } of samples) {
    // What is left out stands as `…`.
    const whole = text.replaceAll(/,?\s*…/g, '')
    const values = whole.split(/\n(?=[{[])/)
    for (const value of values) t.doesNotThrow(() => JSON.parse(value), place)
  }
})
