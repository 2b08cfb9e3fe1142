import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { main } from '../../../core/cli/main.ts'
import { createTestIo } from '../../core/cli/helpers.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

const SCHEMA = tableSchema(
  { name: 'User', key_fields: ['id'], fields: { id: 'ID!' } },
  { queries: [{ name: 'users', type: '[User!]!', sql_source: 'v_user' }] },
)
const toml = (more: string) => `[database]\nurl = "pglite:memory"\n[plugins]\npreset = "full"\n${more}`

t.test('svc compile --sdl writes the subgraph, without a database', async (t) => {
  const folder = t.testdir({
    'svc.toml': toml('[federation]\nenabled = true\n[[federation.entities]]\nname = "User"\nkey_fields = ["id"]\n'),
    'schema.json': JSON.stringify(SCHEMA),
  })
  const { io, stderr } = createTestIo(folder)
  t.equal(await main(['compile', '--offline', '--sdl'], io), 0, stderr())
  const sdl = readFileSync(join(folder, 'schema.graphql'), 'utf8')
  t.match(
    sdl,
    /^extend schema\n {2}@link\(url: "https:\/\/specs\.apollo\.dev\/federation\/v2\.3", import: \["@key"\]\)\n/,
  )
  t.match(sdl, /\ntype User @key\(fields: "id"\) \{\n/)
  t.notMatch(sdl, /_entities/)
})

t.test('without the plugin keys are required and not served', async (t) => {
  const folder = t.testdir({ 'svc.toml': toml(''), 'schema.json': JSON.stringify(SCHEMA) })
  const { io, stderr } = createTestIo(folder)
  t.equal(await main(['compile', '--offline', '--sdl'], io), 0, stderr())
  t.notMatch(readFileSync(join(folder, 'schema.graphql'), 'utf8'), /@key|@link/)
  const { requires } = JSON.parse(readFileSync(join(folder, 'schema.compiled.json'), 'utf8'))
  t.ok(requires.includes('federation'), 'and a service without it does not boot')
})
