import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { testProject } from '../../core/testing/project.ts'
import { requirePython } from '../helpers/python.ts'
import { runCommand } from '../helpers/run-command.ts'

t.setTimeout(300_000)

const PAGE = readFileSync('docs/tutorial/first-api-python.md', 'utf8')

/** Returns the code blocks of a language, in their order. */
function blocksOf(language: string): readonly string[] {
  return [...PAGE.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, own, text]) =>
    own === language ? [text ?? ''] : [],
  )
}

t.test('the tutorial in Python is executed', async (t) => {
  if (requirePython(t) === null) return
  const [postClass, queries, field, mutation, ...restOfPython] = blocksOf('python')
  const [column, view, script, ...restOfSql] = blocksOf('sql')
  const [query, ...restOfGraphql] = blocksOf('graphql')
  const [message = ''] = blocksOf('text')
  t.same([restOfPython, restOfSql, restOfGraphql], [[], [], []], 'every block is used here')

  const cwd = t.testdir({})
  t.equal((await runCommand(cwd, 'init', 'shop', '--language', 'python')).code, 0)
  const folder = join(cwd, 'shop')
  const edit = (file: string, change: (text: string) => string): void => {
    const before = readFileSync(join(folder, file), 'utf8')
    const after = change(before)
    t.not(after, before, file)
    writeFileSync(join(folder, file), after)
  }
  const compile = async (): Promise<void> => {
    const { code, err } = await runCommand(folder, 'compile')
    t.equal(code, 0, err)
  }
  const ask = async (text: string) => {
    const project = await testProject({ folder, env: {} })
    try {
      return await project.graphql(text)
    } finally {
      await project.close()
    }
  }

  // 1 and 2
  await compile()
  t.match((await ask(query!)).data?.posts[0], { title: String, author: { name: String }, comments: Array })
  const schema = readFileSync(join(folder, 'schema.py'), 'utf8')
  t.match(schema, postClass!, 'the class is that of the template')
  t.match(schema, queries!)

  // 3
  edit('db/01_tables.sql', (text) => text.replace(/(CREATE TABLE tb_post \([^;]*?)( {2}title text)/, `$1${column}$2`))
  edit('schema.py', (text) =>
    text.replace('    title: str\n    body: str\n    status', `    title: str\n${field}    body: str\n    status`),
  )
  rmSync(join(folder, '.svc'), { recursive: true })
  const lacking = await runCommand(folder, 'compile')
  t.match(lacking, { code: 1, err: /^schema\.py:\d+:5 {2}error .*subtitle/m })
  edit('db/02_views.sql', (text) => text.replace(/SELECT [^;]* FROM tb_post;\n/, view!))
  rmSync(join(folder, '.svc'), { recursive: true, force: true })
  await compile()
  t.match((await ask('{ posts { subtitle } }')).data?.posts[0], { subtitle: null })

  // 4
  edit('db/03_functions.sql', (text) => `${text}\n${script}`)
  edit('schema.py', (text) => text.replace('svc.export()', `${mutation}\n\nsvc.export()`))
  rmSync(join(folder, '.svc'), { recursive: true })
  await compile()
  const { posts } = (await ask('{ posts(where: { status: { _eq: PUBLISHED } }) { id } }')).data
  const unpublished = await ask(`mutation { unpublishPost(id: "${posts[0].id}") { status author { name } } }`)
  t.match(unpublished.data?.unpublishPost, { status: 'DRAFT', author: { name: String } })

  // 5
  edit('schema.py', (text) => text.replace('@svc.type(sql_source="v_post")', '@svc.type(sql_sorce="v_post")'))
  const { err } = await runCommand(folder, 'compile')
  t.match(err, message.trim().replace(/^schema\.py:\d+:1: /, ''))
  t.match(err, /schema\.py:\d+:1: /)
})
