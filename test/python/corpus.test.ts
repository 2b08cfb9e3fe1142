import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { compileSchema } from '../../core/compiler/compile.ts'
import { type CompilePart, defineCompilePart } from '../../core/compiler/compile-part.ts'
import { printCompiledSchema } from '../../core/compiler/emit.ts'
import { parseSchemaJson } from '../../core/compiler/load.ts'
import { loadSchemaModule } from '../../core/compiler/load-module.ts'
import { printSchemaJson } from '../../core/compiler/write-schema-json.ts'
import type { Catalog } from '../../core/contract/database.ts'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import { listOptions } from '../../scripts/options/list-options.ts'
import { isDeclared, listSamples, sampleOptions } from '../../scripts/options/samples.ts'
import { readCatalogFor } from '../helpers/compile-fixture.ts'
import { createPostgresDatabase } from '../helpers/databases.ts'
import { openTestDatabase } from '../helpers/open-database.ts'
import { OWNED_KEYS } from '../helpers/owned-keys.ts'
import { requirePython } from '../helpers/python.ts'
import { requireService, type TestLike } from '../helpers/services.ts'

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

function artifactOf(schema: AuthoredSchema, catalog: Catalog | null): string {
  const parts = [{ plugin: 'corpus', part: part as CompilePart<never>, options: {} }]
  const { compiled, faults } = compileSchema(schema, { catalog, owned: OWNED_KEYS, parts })
  if (compiled === null) throw new Error(faults.map(({ message }) => message).join('\n'))
  return printCompiledSchema(compiled)
}

function pythonSchema(python: string, file: string): string {
  const env = { ...process.env, PYTHONPATH: `${ROOT}python`, PYTHONDONTWRITEBYTECODE: '1', SVC_SCHEMA_OUT: '-' }
  const { stdout, stderr, status } = spawnSync(python, ['-m', 'svc', file], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** The catalog of the example's database; `null`: the sample is compiled without a database. */
async function readCatalogOf(t: TestLike, sample: string, json: string): Promise<Catalog | null | 'missing'> {
  if (sample !== 'chinook') return null
  if (!(await requireService(t, 'postgres'))) return 'missing'
  const folder = `${ROOT}examples/chinook/db`
  const scripts = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  const sql = scripts.sort().map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
  const url = await createPostgresDatabase(t, { sql: sql.join('\n') })
  const database = await openTestDatabase(t, { kind: 'postgres', url })
  return readCatalogFor(parseSchemaJson(json, sample), database)
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

  t.test(`${name}: TypeScript and Python give the same schema.json and the same artifact`, async (t) => {
    const python = requirePython(t)
    const catalog = await readCatalogOf(t, name, expected)
    const schema = await loadSchemaModule(ROOT + typescript)
    t.equal(printSchemaJson(schema), expected, `${json} is up to date`)
    const text = python === null ? expected : pythonSchema(python, ROOT + file)
    t.equal(text, expected, 'schema.json')
    if (catalog === 'missing') return
    t.equal(artifactOf(parseSchemaJson(text, file), catalog), artifactOf(schema, catalog), 'the artifact')
  })
}
