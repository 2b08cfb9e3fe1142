import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { compileSchema } from '../../../core/compiler/compile.ts'
import { writeCompiledSchema } from '../../../core/compiler/emit.ts'
import { loadSchema } from '../../../core/compiler/load.ts'
import { linkSchema } from '../../../core/schema/link/link.ts'
import { readCompiledSchema } from '../../../core/schema/read-compiled.ts'
import type { GraphQLApi } from '../../../plugins/graphql/api.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'
import { serve } from '../../plugins/graphql/serve.ts'

const SCHEMA = (amount: string, sizes = '{"big": 12345678901234567890}') => `{
  "version": "1",
  "types": [{ "name": "Thing", "sql_source": "v_thing", "fields": [{ "name": "id", "type": "ID!" }] }],
  "queries": [{ "name": "things", "type": "[Thing!]!", "sql_source": "v_thing" }],
  "mutations": [{
    "name": "pay", "type": "Boolean", "public": true, "sql_source": "fn_pay",
    "arguments": [
      { "name": "amount", "type": "Decimal!", "default": ${amount} },
      { "name": "number", "type": "BigInt", "default": 9007199254740993 },
      { "name": "sizes", "type": "JSON", "default": ${sizes} }
    ]
  }]
}`

t.test('a default keeps every digit, from schema.json to the statement and the introspection', async (t) => {
  const folder = t.testdir({ 'schema.json': SCHEMA('0.12345678901234567890') })
  const { schema } = await loadSchema(join(folder, 'schema.json'))
  const result = compileSchema(schema, { owned: OWNED_KEYS, catalog: null })
  t.strictSame(result.faults, [])
  const path = join(folder, 'schema.compiled.json')
  await writeCompiledSchema(path, result.compiled!)
  const model = linkSchema(await readCompiledSchema(path))
  t.equal(model.hash, result.compiled!.content_hash, 'the same hash from memory and from the file')
  const served = await serve(t, { schema: model })
  const { template, variables } = await served.operation('mutation { pay }')
  const text = JSON.stringify([template.roots, variables])
  for (const digits of ['0.12345678901234567890', '9007199254740993', '12345678901234567890']) t.match(text, digits)
  const { printSchema } = served.kernel.provided('graphql' as never) as unknown as GraphQLApi
  const sdl = printSchema(served.kernel.generation)
  t.match(sdl, '0.12345678901234567890')
  t.match(sdl, '9007199254740993')

  await writeFile(join(folder, 'schema.json'), SCHEMA('0.12345678901234567891'))
  const other = compileSchema((await loadSchema(join(folder, 'schema.json'))).schema, {
    owned: OWNED_KEYS,
    catalog: null,
  })
  t.not(other.compiled!.content_hash, result.compiled!.content_hash, 'a digit is a change')
})
