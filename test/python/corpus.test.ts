import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { compileSchema } from '../../core/compiler/compile.ts'
import { type CompilePart, defineCompilePart } from '../../core/compiler/compile-part.ts'
import { printCompiledSchema } from '../../core/compiler/emit.ts'
import { parseSchemaJson } from '../../core/compiler/load.ts'
import { loadSchemaModule } from '../../core/compiler/load-module.ts'
import { printSchemaJson } from '../../core/compiler/write-schema-json.ts'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import { listOptions } from '../../scripts/options/list-options.ts'
import { isDeclared, listSamples, sampleOptions } from '../../scripts/options/samples.ts'
import { OWNED_KEYS } from '../helpers/owned-keys.ts'
import { requirePython } from '../helpers/python.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const ANY = {}
/** Runs the functions of the corpus, and owns the keys in `extra`. */
const part: CompilePart = defineCompilePart({
  keys: {
    type: { label: ANY, order: ANY },
    field: { unit: ANY },
    input_field: { widget: ANY },
    query: { label: ANY },
    mutation: { label: ANY },
    subscription: { label: ANY },
  },
  functions: { middleware: 'm', before_mutation: 'b', after_mutation: 'a' },
  repeatable: ['middleware'],
})

function artifactOf(schema: AuthoredSchema): string {
  const parts = [{ plugin: 'corpus', part: part as CompilePart<never>, options: {} }]
  const { compiled, faults } = compileSchema(schema, { catalog: null, owned: OWNED_KEYS, parts })
  if (compiled === null) throw new Error(faults.map(({ message }) => message).join('\n'))
  return printCompiledSchema(compiled)
}

function pythonSchema(python: string, file: string): string {
  const env = { ...process.env, PYTHONPATH: `${ROOT}python`, PYTHONDONTWRITEBYTECODE: '1', SVC_SCHEMA_OUT: '-' }
  const { stdout, stderr, status } = spawnSync(python, ['-m', 'svc', file], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

t.test('every option has a sample in TypeScript and in Python', async (t) => {
  const options = listOptions()
  const samples = sampleOptions(options)
  const declared = options.filter(isDeclared)
  t.ok(declared.length > 200, `${declared.length} options`)
  t.strictSame(
    declared.filter(({ id }) => !samples.has(id)).map(({ id }) => id),
    [],
  )
})

for (const { name, typescript, python: file, json } of listSamples()) {
  const expected = readFileSync(ROOT + json, 'utf8')

  t.test(`${name} in TypeScript`, async (t) => {
    const schema = await loadSchemaModule(ROOT + typescript)
    t.equal(printSchemaJson(schema), expected, `run: svc compile ${typescript}`)
    t.equal(artifactOf(schema), artifactOf(parseSchemaJson(expected, json)), 'the artifact')
  })

  t.test(`${name} in Python`, async (t) => {
    const python = requirePython(t)
    if (python === null) return
    const text = pythonSchema(python, ROOT + file)
    t.equal(text, expected)
    t.equal(artifactOf(parseSchemaJson(text, file)), artifactOf(await loadSchemaModule(ROOT + typescript)))
  })
}
