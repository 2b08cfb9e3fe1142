import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { preset } from '../../../../core/doors/codegen.ts'
import { runCommand } from '../../../helpers/run-command.ts'
import { ROOT } from '../../../repo/source-files.ts'

t.setTimeout(120_000)

const CODEGEN = join(ROOT, 'test/node_modules/@graphql-codegen')
const SDL = `
  type Query { artists(limit: Int): [Artist!]!, artist(id: ID!): Artist }
  type Artist { name: String, id: ID!, mood: Mood!, worth: Decimal }
  enum Mood { SAD HAPPY }
  scalar Decimal
`
const PARTS = 'fragment Parts on Artist { id mood worth }\n'
const TOP = 'query Top($n: Int!) { artists(limit: $n) { name ...Parts } }\n'

/** Writes a project of `@graphql-codegen/cli` that has svc installed. @returns its folder */
function writeCodegenProject(t: Test, output = '{ preset }', file = 'src/svc-client.ts'): string {
  const folder = t.testdir({
    'package.json': '{ "type": "module" }',
    'schema.graphql': SDL,
    'codegen.ts': `import type { CodegenConfig } from '@graphql-codegen/cli'
import { preset } from 'svc/codegen'
const config: CodegenConfig = {
  schema: './schema.graphql',
  documents: 'src/**/*.{ts,graphql}',
  config: { sort: false },
  generates: { '${file}': ${output} },
}
export default config
`,
    src: {
      'parts.graphql': PARTS,
      'top.ts': `import { gql } from 'graphql-tag'\nexport const TOP = gql\`${TOP}\`\n`,
    },
  })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(CODEGEN, join(folder, 'node_modules/@graphql-codegen'))
  symlinkSync(ROOT, join(folder, 'node_modules/svc'))
  return folder
}

function runCodegen(folder: string): { readonly code: number; readonly text: string } {
  const cli = join(CODEGEN, 'cli/esm/bin.js')
  try {
    const env = { ...process.env, NODE_OPTIONS: '' }
    const stdio = ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe']
    return { code: 0, text: execFileSync(process.execPath, [cli], { cwd: folder, env, encoding: 'utf8', stdio }) }
  } catch (error) {
    const { status, stdout, stderr } = error as { readonly status: number; stdout: string; stderr: string }
    return { code: status, text: stdout + stderr }
  }
}

const skip = !existsSync(CODEGEN)
  ? 'no @graphql-codegen/cli: npm run tools'
  : !existsSync(join(ROOT, 'dist/core/doors/codegen.js'))
    ? 'no dist/: npm run build'
    : false

t.test('with GraphQL Code Generator', { skip: process.env.SVC_TEST_REQUIRE === 'all' ? false : skip }, async (t) => {
  await t.test('the preset writes the module of svc generate', async (t) => {
    const folder = writeCodegenProject(t)
    const { code, text } = runCodegen(folder)
    t.equal(code, 0, text)
    const module = readFileSync(join(folder, 'src/svc-client.ts'), 'utf8')
    t.match(module, /export const TopDocument: TypedDocument<TopQuery, TopQueryVariables>/)
    t.match(module, /readonly worth: string \| null/, 'a Decimal is a string, as svc sends it')
    const args = [
      '--client',
      'typescript',
      '--schema-sdl',
      'schema.graphql',
      '--documents',
      'src/{top.ts,parts.graphql}',
    ]
    const own = await runCommand(folder, 'generate', ...args, '-o', 'own.ts')
    t.equal(own.code, 0, own.err)
    t.equal(readFileSync(join(folder, 'own.ts'), 'utf8'), module)
    t.equal(runCodegen(folder).code, 0)
    t.equal(readFileSync(join(folder, 'src/svc-client.ts'), 'utf8'), module, 'and the same again')
  })

  await t.test('a document that does not fit the schema is an error with its place', async (t) => {
    const folder = writeCodegenProject(t)
    writeFileSync(join(folder, 'src/wrong.graphql'), 'query Wrong { artists { nane } }\n')
    const { code, text } = runCodegen(folder)
    t.equal(code, 1)
    t.match(text, /nane/)
    t.match(text, /wrong\.graphql:1:25/)
  })

  await t.test('an output that is no module, and options that do not exist, are refused', async (t) => {
    for (const [output, file, message] of [
      ['{ preset }', 'src/', /name a TypeScript file in "generates", such as "src\/svc-client\.ts", not "src\/"/],
      [
        '{ preset, presetConfig: { fragmentMasking: false } }',
        'src/c.ts',
        /remove "fragmentMasking" from presetConfig/,
      ],
      ["{ preset, plugins: [{ add: { content: 'x' } }] }", 'src/c.ts', /give "plugins" a file of their own/],
    ] as const) {
      const { code, text } = runCodegen(writeCodegenProject(t, output, file))
      t.equal(code, 1)
      t.match(text, message)
    }
  })
})

t.test('an operation without a name is an error', async (t) => {
  const { parse } = await import('graphql')
  const [output] = preset.buildGeneratesSection({
    baseOutputDir: 'c.ts',
    schema: parse(SDL),
    documents: [{ document: parse('{ artists { id } }') }, {}],
    config: {},
    presetConfig: {},
    plugins: [],
  })
  await t.rejects(output!.pluginMap['svc-client']!.plugin(), { message: /The operation needs a name/ })
})
