import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createSignals } from '../../../core/service/signals/create-signals.ts'
import { openPglite } from '../../../plugins/pglite/driver.ts'
import { checkSpecials } from '../../helpers/check-specials.ts'
import { worldOn } from '../../helpers/plan-world.ts'
import { svc } from '../../helpers/service.ts'
import { LTREE_FIELD, specialSchema, specialSql, VECTOR_FIELDS } from '../../helpers/special-cases.ts'
import { checkVectors, VECTORS_SQL } from './vectors.ts'

const CONFIG = {
  url: 'pglite:memory',
  ssl_mode: 'prefer',
  pool_min: 1,
  pool_max: 1,
  connect_timeout_ms: 5000,
  idle_timeout_ms: 600_000,
  prepared_statements: true,
  plan_cache_mode: 'auto',
} as const
const SQL = `CREATE EXTENSION ltree; ${specialSql([LTREE_FIELD])}`
const FIELDS = [LTREE_FIELD, ...VECTOR_FIELDS]

// proves: mapping.semantic-scalars, field.vector_config, error.vector
t.test('the operators of ltree and of vectors run, also when the folder is opened again', async (t) => {
  const folder = join(t.testdir(), 'data')
  const first = await openPglite(CONFIG, folder, createSignals(), ['ltree', 'vector'])
  await first.script(`CREATE EXTENSION ltree; CREATE EXTENSION vector; ${specialSql(FIELDS)}${VECTORS_SQL}`)
  await first.close()
  const database = await openPglite(CONFIG, folder, createSignals(), ['ltree', 'vector'])
  t.teardown(() => database.close())
  const world = await worldOn(database, specialSchema(FIELDS))
  await checkSpecials(t, world, FIELDS)
  await checkVectors(t, database)
})

t.test('an extension that is not switched on cannot be created', async (t) => {
  const database = await openPglite(CONFIG, null, createSignals())
  t.teardown(() => database.close())
  await t.rejects(database.script('CREATE EXTENSION ltree'), /extension "ltree"/)
})

t.test('[pglite] extensions: for the scripts of a project', async (t) => {
  const toml = (extensions: string): string =>
    `[database]\nurl = "pglite:.svc/data"\ninit_dir = "db"\n[pglite]\nextensions = ["${extensions}"]\n`
  const folder = t.testdir({
    'svc.toml': toml('ltree'),
    'schema.json': JSON.stringify(specialSchema([LTREE_FIELD])),
    db: { '01.sql': SQL },
  })
  const compiled = await svc(['compile'], folder)
  t.equal(compiled.code, 0, compiled.stderr)
  t.match(readFileSync(join(folder, 'schema.compiled.json'), 'utf8'), /"column_type": "ltree"/)
  const wrong = t.testdir({ 'svc.toml': toml('ltreee'), 'schema.json': '{}' })
  const refused = await svc(['compile'], wrong)
  t.equal(refused.code, 2)
  t.match(refused.stderr, /pglite\.extensions.*ltree/s)
})
