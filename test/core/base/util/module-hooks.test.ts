import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { type Resolved, resolve, resolveSync } from '../../../../core/base/util/module-hooks.ts'
import { DOORS } from '../../../../scripts/docs/api-pages.ts'

type Next = (specifier: string) => Resolved
const missing: Next = (specifier) => {
  throw new Error(`nothing at ${specifier}`)
}
const echo: Next = (specifier) => ({ url: specifier, format: null })

/** Both hooks must agree: Node decides which of them runs. */
async function both(specifier: string, parentURL: string | undefined, next: Next): Promise<Resolved> {
  const answer = resolveSync(specifier, { parentURL }, next)
  t.strictSame(await resolve(specifier, { parentURL }, async (name) => next(name)), answer)
  return answer
}

t.test('module hooks', async (t) => {
  const folder = t.testdir({
    'schema.ts': '',
    'plain.js': 'module.exports = {}',
    'esm.js': 'import "./x.js"',
    typed: { 'package.json': '{ "type": "commonjs" }', 'esm.js': 'import "./x.js"' },
    'package.json': '{}',
  })
  const url = (file: string, query = ''): string => pathToFileURL(join(folder, file)).href + query
  const parent = url('schema.ts', '?svc-run=7')

  t.strictSame(
    await both('./x.ts', url('schema.ts'), echo),
    { url: './x.ts', format: null },
    'without a run: hands off',
  )
  t.strictSame(await both('anything', undefined, echo), { url: 'anything', format: null })
  t.strictSame(await both(url('schema.ts', '?svc-run=7'), undefined, missing), {
    url: url('schema.ts', '?svc-run=7'),
    format: 'module',
    shortCircuit: true,
  })
  t.match(await both('./schema.js', parent, missing), { url: url('schema.ts', '?svc-run=7') }, '.js means .ts')
  t.match(await both('./esm.js', parent, echo), { url: url('esm.js', '?svc-run=7'), format: 'module' })
  t.strictSame(await both('./plain.js', parent, () => ({ url: url('plain.js') })), { url: url('plain.js') })
  t.strictSame(
    await both('./esm.js', url('typed/schema.ts', '?svc-run=7'), () => ({ url: url('typed/esm.js') })),
    { url: url('typed/esm.js') },
    'an explicit type of JavaScript is kept',
  )
  t.strictSame(await both('left-pad', parent, echo), { url: 'left-pad', format: null }, 'packages are not copied')
  t.match(
    await both('./schema', parent, () => ({ url: url('schema.ts', '?junk') })),
    { url: url('schema.ts', '?svc-run=7'), format: 'module' },
    'what another hook resolves belongs to the run',
  )

  for (const path of ['core/base/errors/svc-error.ts', 'plugins/jwt/index.ts', 'presets/standard.ts']) {
    const own = pathToFileURL(join(process.cwd(), path)).href
    t.strictSame(
      await both(own, parent, missing),
      { url: own, format: 'module', shortCircuit: true },
      `${path} is the copy that runs`,
    )
    t.equal((await both('./x', parent, () => ({ url: own }))).url, own, `${path}, where another hook resolves it`)
  }
  const example = pathToFileURL(join(process.cwd(), 'examples/chinook/schema.ts')).href
  t.match(
    await both(example, parent, missing),
    { url: `${example}?svc-run=7` },
    'a project in the repository is no part of svc',
  )

  for (const { specifier, source } of DOORS) {
    const file = pathToFileURL(join(process.cwd(), `${source}.ts`)).href
    const found = await both(specifier, parent, (name) => (name === file ? { url: file } : missing(name)))
    t.strictSame(found, { url: file }, `${specifier} is that of the running svc`)
  }
  const own = pathToFileURL(join(process.cwd(), 'core/authoring/index.ts')).href
  const onlyOwn: Next = (specifier) => (specifier === own ? { url: own } : missing(specifier))
  t.strictSame(await both('svc/authoring', parent, onlyOwn), { url: own }, 'no installation: the one that runs')
  const built = pathToFileURL(join(process.cwd(), 'dist/core/authoring/index.js')).href
  t.strictSame(
    await both('svc/authoring', parent, (specifier) => ({ url: specifier === own ? own : built })),
    { url: own },
    'inside the repository: the sources, not the build',
  )
  const installed = 'file:///project/node_modules/svc/dist/core/authoring/index.js'
  t.strictSame(
    await both('svc/authoring', parent, (specifier) => (specifier === own ? { url: own } : { url: installed })),
    { url: installed },
    'an installation of the project wins',
  )
})
