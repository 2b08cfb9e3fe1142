import t from 'tap'
import { CORE_SECTIONS } from '../../core/config/core-sections.ts'
import type { Manifest } from '../../core/doors/plugin.ts'
import { type ConfigRead, configReads } from './config-reads.ts'
import { optionKeys, readManifests } from './plugin-manifests.ts'
import { listFiles, read } from './source-files.ts'

const CORE = 'core'
const manifests = await readManifests()
const owners = ownersOf([...manifests.values()])

/** Dotted path of each section and key → the plugins that it belongs to, or core. */
function ownersOf(all: readonly Manifest[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  const add = (path: string, owner: string): void => {
    const known = found.get(path)
    // A section of core stays core's, whichever plugins have keys in it.
    if (known === undefined) found.set(path, new Set([owner]))
    else if (!known.has(CORE)) known.add(owner)
  }
  for (const { path, schema } of CORE_SECTIONS) {
    add(path, CORE)
    for (const key of Object.keys((schema.properties ?? {}) as object)) add(`${path}.${key}`, CORE)
  }
  for (const manifest of all) {
    const { name, config, aliases = {} } = manifest
    if (config === undefined) continue
    add(config, name)
    for (const key of optionKeys(manifest)) add(`${config}.${key}`, name)
    for (const alias of Object.keys(aliases)) add(alias.slice(0, alias.lastIndexOf('.')), name)
  }
  return found
}

/** What is wrong with what a file of a plugin reads. */
function faultsOf(file: string, { name, dependencies = [], after = [] }: Manifest, reads: readonly ConfigRead[]) {
  const declared = new Set([CORE, name, ...dependencies, ...after])
  return reads.flatMap(({ path, line, isCast }) => {
    const where = `${file}:${line}`
    const key = path.join('.')
    if (isCast) return [`${where} casts the configuration: declare the section in \`Config\` (api.ts of its plugin).`]
    const lengths = path.map((_, index) => path.length - index)
    const owned = lengths
      .map((length) => owners.get(path.slice(0, length).join('.')))
      .find((found) => found !== undefined)
    if (owned === undefined || [...owned].some((owner) => declared.has(owner))) return []
    const owner = [...owned].join(', ')
    return [`${where} reads ${key} of plugin "${owner}": declare it in \`dependencies\` or \`after\` of the manifest.`]
  })
}

t.test(
  'plugins read the configuration by its type, and only sections of core, their own and of declared plugins',
  async (t) => {
    let count = 0
    for (const file of listFiles('plugins', '.ts')) {
      const reads = configReads(file, read(file))
      count += reads.length
      t.strictSame(faultsOf(file, manifests.get(file.split('/')[1]!)!, reads), [], file)
    }
    t.ok(count > 40, 'the reads are found')
  },
)

t.test('core does not cast the configuration either', async (t) => {
  const files = listFiles('core', '.ts').filter((file) => !file.startsWith('core/config/'))
  const casts = files.flatMap((file) =>
    configReads(file, read(file)).flatMap(({ isCast, line }) => (isCast ? [`${file}:${line}`] : [])),
  )
  t.strictSame(casts, [])
})

t.test('the check finds casts and reads of undeclared sections, however they are written', async (t) => {
  const manifest = { ...manifests.get('csrf-prevention')!, name: 'mine', after: ['cors'] }
  const found = (source: string) =>
    faultsOf('x.ts', manifest, configReads('x.ts', source)).map((fault) => fault.replace(/: .*/, ''))
  const jwt = ['x.ts:1 reads security.jwt_issuer of plugin "jwt"']
  for (const source of [
    'const issuer = scope.config.security.jwt_issuer',
    'const { jwt_issuer: issuer } = scope.config.security',
    'const { security: { jwt_issuer } } = scope.config',
    'const { security } = scope.config; use(security.jwt_issuer)',
    'const { security } = scope.config; const { jwt_issuer = "" } = security',
    'function read({ config }: Scope) { return config.security?.jwt_issuer ?? null }',
    'function read({ security }: Pick<Config, "security">) { return security.jwt_issuer }',
    'const read = (settings: Config) => settings.security.jwt_issuer',
    "const read = (settings: Config['security']) => settings.jwt_issuer!",
    'const read = ({ jwt_issuer }: SecuritySection) => jwt_issuer',
  ])
    t.strictSame(found(source), jwt, source)
  const cast = ['x.ts:1 casts the configuration']
  for (const source of [
    'const { project } = scope.config as { readonly project?: object }',
    'const { name } = (config.project ?? {}) as { readonly name?: string }',
    'const rest = config.rest as unknown as RestOptions',
    'const nameOf = (config: Readonly<Record<string, unknown>>) => (config.project as { name: string }).name',
  ])
    t.strictSame(found(source), cast, source)
  for (const source of [
    'const { name } = scope.config.project; use(scope.config.server.cors?.origins)',
    'const { security } = scope.config; use(security.default_policy, security.csrf_prevention)',
    'const options = { jwt_issuer: 1 }; use(options.jwt_issuer)',
    'const open = (config: DatabaseConfig) => config.security.jwt_issuer',
    'const { security } = scope.config; const other = (security: Other) => security.jwt_issuer',
  ])
    t.strictSame(
      found(source),
      source.includes('csrf_prevention') ? ['x.ts:1 reads security.csrf_prevention of plugin "csrf-prevention"'] : [],
      source,
    )
})
