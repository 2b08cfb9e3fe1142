import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { testPlugin } from '../../core/testing/testing.ts'
import openapi from '../../plugins/openapi/index.ts'
import rest from '../../plugins/rest/index.ts'
import { plugin } from '../helpers/kernel.ts'

/** The guide's code blocks become files, are type-checked together, and the tests among them run. */
const root = join(import.meta.dirname, '../..')
const guide = readFileSync(join(root, 'docs/guides/write-a-plugin.md'), 'utf8')
const blocks = [...guide.matchAll(/^```ts file=(\S+)\n(.*?)^```$/gms)].map(([, file, text]) => ({
  file: file as string,
  text: text as string,
}))
// Inside the repository, so that `tap` and `fastify-plugin` are found as in a project that has them installed.
const folder = join(root, 'node_modules/.cache/svc-guide', String(process.pid))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Writes the blocks into a folder of their own, each changed by `edit`. */
function lay(name: string, edit: (text: string) => string): string {
  const into = join(folder, name)
  mkdirSync(into, { recursive: true })
  writeFileSync(join(into, 'package.json'), '{"type":"module"}')
  for (const { file, text } of blocks) writeFileSync(join(into, file), edit(text))
  return into
}

// What `svc` and `svc/testing` are in an installed package, they are here by path.
const entries = {
  svc: 'core/doors/plugin.ts',
  'svc/front': 'core/doors/front.ts',
  'svc/driver': 'core/doors/driver.ts',
  'svc/command': 'core/doors/command.ts',
  'svc/graphql': 'plugins/graphql/index.ts',
  'svc/testing': 'core/testing/testing.ts',
}
const runnable = lay('run', (text) =>
  Object.entries(entries).reduce(
    (edited, [name, file]) => edited.replaceAll(`from '${name}'`, `from '${pathToFileURL(join(root, file)).href}'`),
    text,
  ),
)
for (const { file } of blocks) if (file.endsWith('.test.ts')) await import(pathToFileURL(join(runnable, file)).href)

t.test('the credential of the guide is in OpenAPI and in Vary, and its answers are its own', async (t) => {
  const { default: staticToken } = await import(pathToFileURL(join(runnable, 'static-token.ts')).href)
  const token = 'a token of some length'
  const tested = await testPlugin(openapi, {
    options: { openapi_enabled: true },
    dependencies: [
      { plugin: rest, options: {} },
      { plugin: staticToken, options: { token } },
      plugin('pages', (scope) => {
        const headers = { 'cache-control': 'public, max-age=60' }
        scope.route({ method: 'GET', path: '/page', handler: () => ({ status: 200, headers, body: '' }) })
      }),
    ],
  })
  const asked = await tested.inject({ url: '/rest/v1/openapi.json' })
  t.strictSame(asked.json<{ components: object }>().components, {
    securitySchemes: { 'static-token': { type: 'http', scheme: 'bearer', description: 'The token of the operator.' } },
  })
  const told = async (headers: Record<string, string>) => {
    const { status, headers: given } = await tested.inject({ url: '/page', headers })
    return [status, given['cache-control'], given.vary]
  }
  t.strictSame(await told({}), [200, 'public, max-age=60', 'Authorization'])
  t.strictSame(await told({ authorization: `Bearer ${token}` }), [200, 'private, max-age=60', 'Authorization'])
  t.strictSame(await told({ authorization: 'Bearer another' }), [401, 'no-store', 'Authorization'])
  await tested.close()
})

t.test('every block of TypeScript is a file', async (t) => {
  t.equal([...guide.matchAll(/^```ts/gm)].length, blocks.length)
  t.ok(blocks.filter(({ file }) => file.endsWith('.test.ts')).length >= 4)
})

t.test('the blocks compile', async (t) => {
  const into = lay('types', (text) => text)
  const settings = { extends: join(root, 'tsconfig.json'), include: ['*.ts'], exclude: [] }
  writeFileSync(join(into, 'tsconfig.json'), JSON.stringify(settings))
  let output = ''
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    // The test runner gives every process its hooks, which the compiler does not survive.
    execFileSync('env', ['-u', 'NODE_OPTIONS', process.execPath, tsc, '-p', into], { encoding: 'utf8' })
  } catch (error) {
    output = (error as { stdout?: string }).stdout ?? ''
    if (output === '') throw error
  }
  const own = output.split('\n').filter((line) => line.includes('svc-guide'))
  t.same(own, [], 'no type errors in the guide')
})
