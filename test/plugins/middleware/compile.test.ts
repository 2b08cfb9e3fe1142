import t from 'tap'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { testCompile, testPlugin } from '../../../core/testing/testing.ts'
import compilePart from '../../../plugins/middleware/compile.ts'
import middlewarePlugin from '../../../plugins/middleware/index.ts'
import { NOTES } from '../../schemas/notes.ts'

const recorded = (kind: string, name: string, exported = name) => ({
  kind,
  name,
  module: './schema.ts',
  export: exported,
  $place: { file: 'schema.ts', line: 7, column: 3 },
})
const schema = (...functions: object[]) =>
  ({ ...NOTES.schema, author_functions: functions }) as unknown as AuthoredSchema

t.test('a hook of a mutation that does not exist does not compile', async (t) => {
  const { faults } = testCompile(
    compilePart,
    schema(recorded('before_mutation', 'adNote'), recorded('after_mutation', 'x')),
    {
      plugin: 'middleware',
    },
  )
  t.match(faults, [
    {
      id: 'middleware:unknown-mutation',
      message: 'before_mutation "adNote": there is no mutation of this name. Did you mean "add_note"?',
      place: { line: 7, column: 3 },
    },
    { message: /^after_mutation "x": there is no mutation of this name\.$/ },
  ])
  const none = testCompile(compilePart, { ...schema(recorded('after_mutation', 'x')), mutations: [] })
  t.match(none.faults, [{ message: /The schema has none\.$/ }])
})

t.test('several of one name are run in their order; the schema relies on the plugin', async (t) => {
  const { compiled, faults } = testCompile(
    compilePart,
    schema(
      recorded('before_mutation', 'addNote', 'one'),
      recorded('before_mutation', 'addNote', 'two'),
      recorded('middleware', 'log'),
    ),
    { plugin: 'middleware' },
  )
  t.strictSame(faults, [])
  t.strictSame(compiled?.requires, ['middleware'])
  t.strictSame(
    compiled?.author_functions?.map(({ export: exported }) => exported),
    ['one', 'two', 'log'],
  )
})

t.test('a module that gives something else by now keeps the schema from being served', async (t) => {
  const functions = [{ ...recorded('middleware', 'log'), value: { no: 'function' } }]
  const tested = testCompile(compilePart, schema(recorded('middleware', 'log')), { plugin: 'middleware', functions })
  await t.rejects(testPlugin(middlewarePlugin, { schema: tested.schema ?? {} }), {
    message: /\.\/schema\.ts: middleware "log": the export "log" is no function\. Run `svc compile` again\./,
  })
})
