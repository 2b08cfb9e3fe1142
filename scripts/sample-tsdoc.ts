/**
 * `npm run sample:tsdoc -- [--seed=N] [--count=N]`: prints a random sample of TSDoc texts of core, plugins and presets,
 * each with its declaration, for a reader who judges whether the text is clear without the code
 * (docs/contributing/tsdoc-sample.md).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chooseSample } from './mutation/choose-sample.ts'
import { listTsdocTexts } from './tsdoc/list-texts.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '70' } },
})

const texts = ['core', 'plugins', 'presets'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
    .map((path) => join(folder, path))
    .flatMap((file) => listTsdocTexts(file, readFileSync(join(ROOT, file), 'utf8'))),
)
const keyed = texts.map((text) => ({ ...text, key: `${text.file}#${text.name}` }))
const sample = chooseSample(keyed, toNumber('count'), toNumber('seed'))

process.stdout.write(`${sample.length} of ${texts.length} TSDoc texts, seed ${values.seed}\n`)
for (const [index, { file, line, name, signature, text }] of sample.entries()) {
  process.stdout.write(`\n${index + 1}. ${file}:${line} ${name}\n   ${signature}\n`)
  process.stdout.write(`${text.replace(/^/gm, '   | ')}\n`)
}

function toNumber(option: 'seed' | 'count'): number {
  const number = Number(values[option])
  if (!Number.isInteger(number)) throw new Error(`--${option} takes an integer, not "${values[option]}".`)
  return number
}
