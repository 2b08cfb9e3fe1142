import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import type { AuthoredSchema } from '../../../core/doors/command.ts'
import mcp from '../../../plugins/mcp/index.ts'
import scopes from '../../../plugins/scopes/index.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { entry } from '../../helpers/kernel.ts'
import { openApp } from '../../helpers/open-app.ts'
import { requireService } from '../../helpers/services.ts'
import { testCredential } from '../../helpers/test-credential.ts'

t.setTimeout(180_000)
const EXAMPLE = 'examples/chinook'

interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
}

/** A value that fits: what a model would make up that knows nothing of the store. */
function madeUp(schema: Schema, root: Schema): unknown {
  if (schema.$ref !== undefined) return madeUp(root.$defs![schema.$ref.replace('#/$defs/', '')]!, root)
  if (schema.anyOf !== undefined) return madeUp(schema.anyOf[0]!, root)
  if (schema.enum !== undefined) return schema.enum[0]
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return Object.fromEntries((schema.required ?? []).map((name) => [name, madeUp(schema.properties![name]!, root)]))
    case 'array':
      return [madeUp(schema.items!, root)]
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return 1
    default:
      return '1'
  }
}

t.test('every tool of the example answers what its output schema says', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const authored = JSON.parse(readFileSync(join(EXAMPLE, 'schema.json'), 'utf8')) as AuthoredSchema
  const sql = readdirSync(join(EXAMPLE, 'db'))
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => readFileSync(join(EXAMPLE, 'db', file), 'utf8'))
  const url = await createPostgresDatabase(t, { sql: sql.join('\n') })
  const app = await openApp(t, { kind: 'postgres', url }, authored, {
    plugins: [testCredential(), entry(scopes), entry(mcp, { enabled: true, require_auth: false })],
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${await app.listen()}/mcp`)))
  t.teardown(() => client.close())
  const { tools } = await client.listTools()
  const { queries, mutations } = app.kernel.generation.schema
  t.same(
    tools.map(({ name }) => name).sort(),
    [...queries.values(), ...mutations.values()].map(({ wireName }) => wireName).sort(),
  )
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  let answered = 0
  for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
    const schema = inputSchema as Schema
    t.ok(title !== undefined && description !== undefined && description !== '', `${name} says what it is`)
    const reads = queries.has(name) || [...queries.values()].some(({ wireName }) => wireName === name)
    t.equal(annotations?.readOnlyHint, reads, `${name}: its hint`)
    for (const [what, each] of Object.entries({ input: inputSchema, output: outputSchema }))
      t.ok(each !== undefined && ajv.validateSchema(each), `${name}: its ${what} is a schema`)
    const args = madeUp(schema, schema) as Readonly<Record<string, unknown>>
    t.ok(ajv.validate(inputSchema, args), `${name}: ${JSON.stringify(args)} fits`)
    // The client throws where the answer does not fit.
    const result = await client.callTool({ name, arguments: args })
    if (result.isError === true) {
      // A made-up row is not there: that is said by the store, and by nothing below it.
      t.ok(!reads, `${name} reads: ${JSON.stringify(result.content)}`)
      t.notMatch(JSON.stringify(result.content), /INTERNAL_SERVER_ERROR|DATABASE_ERROR|BAD_USER_INPUT/, name)
      continue
    }
    answered++
    t.ok(ajv.validate(outputSchema!, result.structuredContent), `${name}: ${ajv.errorsText()}`)
    const fields = schema.properties?.fields
    if (fields === undefined) continue
    const chosen = /There are: (\w+)/.exec(String((fields as { description?: string }).description))?.[1]
    if (!reads || chosen === undefined) continue
    const one = await client.callTool({ name, arguments: { ...args, fields: [chosen] } })
    t.notOk(one.isError, `${name} with ${chosen}: ${JSON.stringify(one.content).slice(0, 200)}`)
  }
  t.ok(answered >= queries.size, `${answered} of ${tools.length} were answered`)
})
