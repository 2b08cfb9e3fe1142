import t from 'tap'
import { listFiles, read } from './source-files.ts'
import { type Node, parse, walk } from './source-syntax.ts'

/** Test files that declare a schema of their own. The number may only fall: use a schema of `test/schemas`, or share one. */
const OWN_SCHEMAS = 69
/** Test files with a function `open` of their own. The number may only fall: use a helper of `test/helpers`, or share one. */
const OWN_OPENS = 15

const files = listFiles('test', '.test.ts').map((file) => ({ file, program: parse(file, read(file)) }))

/** Whether the file contains a schema: an object whose `types` lists at least one type that is written here. */
function declaresSchema(program: Node): boolean {
  let found = false
  walk(program, (node) => {
    if (node.type !== 'Property' || nameOf(node.key as Node) !== 'types') return
    const { type, elements } = node.value as Node & { readonly elements?: readonly Node[] }
    found ||= type === 'ArrayExpression' && elements!.some((element) => element?.type !== 'SpreadElement')
  })
  return found
}

/** Whether the file declares a function `open` at its top level. */
function declaresOpen(program: Node): boolean {
  return (program.body as readonly Node[]).some((statement) => {
    if (statement.type === 'FunctionDeclaration') return nameOf(statement.id as Node) === 'open'
    if (statement.type !== 'VariableDeclaration') return false
    return (statement.declarations as readonly Node[]).some(({ id }) => nameOf(id as Node) === 'open')
  })
}

function nameOf(node: Node): unknown {
  return node.name ?? node.value
}

t.test('the number of test files with their own schema is held, and may only fall', async (t) => {
  t.equal(files.filter(({ program }) => declaresSchema(program)).length, OWN_SCHEMAS)
})

t.test('the number of test files with their own `open` is held, and may only fall', async (t) => {
  t.equal(files.filter(({ program }) => declaresOpen(program)).length, OWN_OPENS)
})

const sources = listFiles('test', '.ts').map((file) => [file, read(file)] as const)

t.test('a shared schema has at least two users', async (t) => {
  for (const file of listFiles('test/schemas', '.ts')) {
    const name = file.slice('test/schemas/'.length)
    const users = sources.filter(([other, text]) => {
      return text.includes(other.startsWith('test/schemas/') ? `'./${name}'` : `/schemas/${name}'`)
    })
    t.ok(users.length >= 2, `${file} is used by ${users.length} files`)
  }
})
