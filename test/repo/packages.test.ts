import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { installCommand, versionOf } from '../../core/base/packages/install-command.ts'
import { REDIS_PACKAGE } from '../../core/service/stores/redis.ts'
import { readManifests } from './plugin-manifests.ts'
import { listFiles, ROOT, read } from './source-files.ts'

interface Package {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly optionalDependencies?: unknown
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>
}

const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Package
const peers = Object.keys(own.peerDependencies)
const needs = [...(await readManifests()).values()].flatMap(({ name, packages = [] }) =>
  packages.map((need) => ({ plugin: name, need })),
)

t.test('packages that one feature needs are optional peers, and installed for the tests', async (t) => {
  t.equal(own.optionalDependencies, undefined, 'npm would install optional dependencies')
  t.strictSame(own.peerDependenciesMeta, Object.fromEntries(peers.map((name) => [name, { optional: true }])))
  for (const name of peers) {
    t.notOk(name in own.dependencies, `${name} is not a dependency`)
    t.match(own.peerDependencies[name], /^\^\d+\.\d+\.\d+$/, `${name}: a range that installCommand understands`)
    const tested = own.devDependencies[name] ?? ''
    t.equal(
      tested.replace(/^[~^]/, ''),
      own.peerDependencies[name]!.slice(1),
      `${name}: the tested version is the lowest one`,
    )
  }
})

t.test('each optional peer belongs to a manifest or to core, and the other way round', async (t) => {
  const named = new Set([...REDIS_PACKAGE.names, ...needs.flatMap(({ need }) => need.names)])
  t.strictSame([...named].sort(), [...peers].sort())
  for (const { plugin, need } of needs) {
    const page = read(`docs/plugins/${plugin}.md`)
    const command = installCommand(need.names)
    t.ok(page.replace(/\s+/g, ' ').includes(command), `docs/plugins/${plugin}.md has "${command}"`)
  }
})

t.test('the conditions of the needs name options with these values', async (t) => {
  for (const [plugin, { options, packages = [] }] of await readManifests()) {
    for (const { when } of packages) {
      if (when === undefined || when === 'schema') continue
      const properties = (options?.properties ?? {}) as Record<string, { enum?: unknown[]; type?: string }>
      const option = properties[when.option]
      t.ok(option, `${plugin}: ${when.option} is an option`)
      if (typeof when.is === 'boolean') t.equal(option!.type, 'boolean')
      else if (when.is !== undefined)
        t.ok(option!.enum?.includes(when.is), `${plugin}: ${when.option} can be ${when.is}`)
    }
  }
})

/** Imports of values, static and dynamic, as against imports of types. */
const VALUE_IMPORT = /(?:^import (?!type\b)[^;]*?\bfrom |\bimport\(|\brequire(?:\.resolve)?\()'([^'.][^']*)'/gm

t.test('optional peers are imported through importPackages alone', async (t) => {
  // The engine of pglite: the plugin imports its driver through importPackages, and these files are part of it.
  const ofDriver = /^plugins\/pglite\/(?:wire-|engine\/)/
  let seen = 0
  for (const file of listFiles('core', '.ts').concat(listFiles('plugins', '.ts'), listFiles('plugins', '.js'))) {
    const text = read(file)
    for (const [, specifier = ''] of text.matchAll(VALUE_IMPORT)) {
      const name = peers.find((one) => specifier === one || specifier.startsWith(`${one}/`))
      if (name === undefined) continue
      seen++
      if (!ofDriver.test(file)) t.match(text, /\bimportPackages\(/, `${file} imports ${name}`)
    }
  }
  t.ok(seen >= 15, `${seen} imports were found`)
})

t.test('new projects get the tested version where it is exact', async (t) => {
  t.equal(versionOf('@electric-sql/pglite'), own.devDependencies['@electric-sql/pglite'])
  t.match(own.devDependencies['@electric-sql/pglite'], /^\d/, 'the build has an initialised database of this version')
  t.equal(versionOf('mysql2'), own.peerDependencies.mysql2)
  t.throws(() => versionOf('left-pad'), /left-pad is not in peerDependencies/)
})
