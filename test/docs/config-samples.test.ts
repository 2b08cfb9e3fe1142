import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { compileSchema } from '../../core/compiler/compile.ts'
import { schemaJsonSchema } from '../../core/compiler/shape-with-keys.ts'
import { loadConfig } from '../../core/config/load-config.ts'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import compileObservers from '../../plugins/observers/compile.ts'
import compileSubscriptions from '../../plugins/subscriptions/compile.ts'
import { listManifests } from '../../scripts/docs/config-sections.ts'
import { OWNED_KEYS } from '../helpers/owned-keys.ts'
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

/** What the pieces of schema.json in the docs speak of. */
const SHOP: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Order',
      sql_source: 'v_order',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'status', type: 'String!' },
        { name: 'total', type: 'Int!' },
        { name: 'customer_id', type: 'ID' },
      ],
    },
    { name: 'Customer', sql_source: 'v_customer', fields: [{ name: 'id', type: 'ID!' }] },
  ],
  queries: [
    { name: 'orders', type: '[Order!]!', sql_source: 'v_order' },
    { name: 'customers', type: '[Customer!]!', sql_source: 'v_customer' },
  ],
}
const PARTS = [
  { plugin: 'observers', part: compileObservers as never, options: { allow_hosts: [], handlers: [] } },
  { plugin: 'subscriptions', part: compileSubscriptions as never, options: {} },
]
const LISTS: ReadonlySet<string> = new Set(Object.keys((schemaJsonSchema(OWNED_KEYS).properties ?? {}) as object))

/** A sample with what it belongs to; `null`: it is no piece of schema.json. */
function toSchema(text: string): AuthoredSchema | null {
  const [, key = ''] = /^"(\w+)": ?\[/.exec(text) ?? []
  if (LISTS.has(key)) return { ...SHOP, ...JSON.parse(`{${text}}`) }
  if (!/^\{ ?"name": .*"type": /.test(text)) return null
  const [order, ...others] = SHOP.types ?? []
  return { ...SHOP, types: [{ ...order!, fields: [...order!.fields, JSON.parse(text)] }, ...others] }
}

const compile = (schema: AuthoredSchema) =>
  compileSchema(schema, { owned: OWNED_KEYS, catalog: null, parts: PARTS }).faults.map((fault) => fault.message)

t.test('samples of schema.json compile', async (t) => {
  const spans = pages.flatMap((path) =>
    [...read(path).matchAll(/`(\{[^`\n]*\})`/g)].map(({ 1: text = '', index }) => ({
      place: `${path}:${read(path).slice(0, index).split('\n').length}`,
      text,
    })),
  )
  let compiled = 0
  for (const { place, text } of [...blocks, ...spans]) {
    const schema = toSchema(text)
    if (schema === null) continue
    compiled++
    t.strictSame(compile(schema), [], place)
  }
  t.ok(compiled >= 3, `${compiled} samples`)
  t.not(
    compile(toSchema('"observers": [{ "name": "a", "entity": "Oder", "event": "UPDATE", "actions": [] }]')!).length,
    0,
  )
  t.not(compile(toSchema('{ "name": "customer", "type": "Customer", "relaton": {} }')!).length, 0, 'a misspelt key')
})
