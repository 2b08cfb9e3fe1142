import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import { absentPackages, importPackages } from '../../../../core/base/packages/import-packages.ts'
import { installCommand } from '../../../../core/base/packages/install-command.ts'
import type { OwnManifest } from '../../../../core/base/packages/own-package.ts'

const manifest: OwnManifest = {
  name: 'svc-server',
  version: '1.2.3',
  devDependencies: { pinned: '0.5.14', ranged: '^3.4.5' },
  peerDependencies: { pinned: '^0.5.14', ranged: '^3.4.5', young: '^0.8.60' },
}
const commandIn = (folder: string, ...names: string[]) => installCommand(names, { folder, manifest })

t.test('the command fits the way in which svc is installed', async (t) => {
  const dir = t.testdir({ project: { 'package.json': '{}' } })
  t.equal(
    commandIn('/srv/svc', 'pinned', 'ranged', 'young', 'other'),
    'npm install pinned@0.5.14 ranged@3 young@0.8 other',
  )
  t.equal(commandIn(`${dir}/project/node_modules/svc`, 'ranged'), 'npm install ranged@3')
  t.equal(commandIn(`${dir}/lib/node_modules/svc-server`, 'ranged'), 'npm install --global ranged@3')
  t.equal(commandIn(`${dir}/node_modules/.pnpm/svc@1/node_modules/svc`, 'ranged'), 'pnpm add ranged@3')
  const holder = join(dir, '_npx/a1b2')
  mkdirSync(holder, { recursive: true })
  const own = `${holder}/node_modules/svc-server`
  t.equal(commandIn(own, 'pinned'), 'npx -p svc-server@1.2.3 -p pinned@0.5.14 svc …', 'an npx that records nothing')
  writeFileSync(join(holder, 'package.json'), '{ "_npx": { "packages": ["/tmp/svc.tgz"] } }')
  t.equal(commandIn(own, 'pinned'), 'npx -p /tmp/svc.tgz -p pinned@0.5.14 svc …')
  writeFileSync(join(holder, 'package.json'), '{ "_npx": { "packages": [] } }')
  t.equal(commandIn(own, 'pinned'), 'npx -p svc-server@1.2.3 -p pinned@0.5.14 svc …')
})

t.test('a package that is not installed is an error with plugin, reason and command', async (t) => {
  const need = { names: ['no-such-package'], for: 'backend = "x"' }
  const load = () => import('no-such-package' as string)
  await t.rejects(importPackages('observers', need, load), {
    code: 'SVC_PACKAGE_MISSING',
    message:
      'The plugin observers needs the package "no-such-package" (backend = "x"), which is not installed. Install it: `npm install no-such-package`',
    cause: undefined,
  })
  await t.rejects(importPackages(null, { names: ['no-such-package'], for: 'A store' }, load), {
    message:
      'A store needs the package "no-such-package", which is not installed. Install it: `npm install no-such-package`',
  })
  const several = { names: ['tap', 'no-such-package'], for: 'spans', instead: 'take it out' }
  await t.rejects(
    importPackages('tracing', several, () => import('no-such-package/deep' as string)),
    {
      message:
        'The plugin tracing needs the packages "tap", "no-such-package" (spans), which are not installed. Install them, or take it out: `npm install tap no-such-package`',
    },
  )
  t.equal(await importPackages('x', need, async () => 1), 1)
})

t.test('a package that is there and cannot be loaded is not called missing', async (t) => {
  const dir = t.testdir({
    node_modules: {
      broken: {
        'package.json': '{ "name": "broken", "type": "module", "exports": "./index.js" }',
        'index.js': "import 'gone'",
      },
      // `require` cannot resolve it, and it is installed.
      modern: { 'package.json': '{ "name": "modern", "exports": { "import": "./index.js" } }', 'index.js': '' },
      half: { 'package.json': '{ "name": "half", "type": "module", "exports": "./gone.js" }' },
      throws: {
        'package.json': '{ "name": "throws", "type": "module", "exports": "./index.js" }',
        'index.js': "throw new Error('no binding')",
      },
    },
    'load.mjs': 'export const load = (name) => import(name)',
  })
  const { load } = (await import(pathToFileURL(join(dir, 'load.mjs')).href)) as {
    load: (name: string) => Promise<unknown>
  }
  for (const [name, reason] of [
    ['broken', /"broken" \(f\), which cannot be loaded \(Cannot find package 'gone'/],
    ['half', /"half" \(f\), which cannot be loaded \(Cannot find module .*gone\.js/],
    ['throws', /"throws" \(f\), which cannot be loaded \(no binding\)\. Install it: `npm install throws`/],
  ] as const) {
    const error = await importPackages('p', { names: [name], for: 'f' }, () => load(name)).catch((one: unknown) => one)
    t.match(error, { code: 'SVC_PACKAGE_MISSING', message: reason })
    t.ok((error as Error).cause, 'the cause is kept for the log')
  }
  const own = new SvcError('SVC_CONFIG_INVALID', 'x')
  await t.rejects(
    importPackages('p', { names: ['broken'], for: 'f' }, () => Promise.reject(own)),
    own,
  )

  const places = [join(dir, 'x.js')]
  t.strictSame(absentPackages(['broken', 'gone', 'modern', 'throws'], places), ['gone'])
  t.strictSame(absentPackages(['apache-arrow', 'no-such-package']), ['no-such-package'])
})
