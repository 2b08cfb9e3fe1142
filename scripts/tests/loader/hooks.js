/** The module hooks of the tests: Node's own resolution, except for TypeScript and the public names of svc. */
import { fileURLToPath } from 'node:url'
import { translateSync } from './translate.js'

const ROOT = new URL('../../../', import.meta.url).href
/** Paths of `paths` in tsconfig.json. */
const ENTRIES = {
  svc: `${ROOT}core/doors/plugin.ts`,
  'svc/front': `${ROOT}core/doors/front.ts`,
  'svc/driver': `${ROOT}core/doors/driver.ts`,
  'svc/command': `${ROOT}core/doors/command.ts`,
  'svc/authoring': `${ROOT}core/authoring/index.ts`,
  'svc/graphql': `${ROOT}plugins/graphql/index.ts`,
  'svc/testing': `${ROOT}core/testing/testing.ts`,
  'svc/codegen': `${ROOT}core/doors/codegen.ts`,
}

const REGISTER = new URL('./register.js', import.meta.url).href
const TAP = new URL('../group/tap.js', import.meta.url).href
/** URLs of the files that share this process. */
let grouped = new Set()

export function initialize(data) {
  grouped = new Set(data.grouped)
}

const FAST_CHECK = new URL('./fast-check.js', import.meta.url).href

export function resolve(specifier, context, next) {
  const entry = ENTRIES[specifier]
  // A project that a test installs has a package of that name.
  if (entry !== undefined && isOurs(context.parentURL)) return { url: entry, format: 'module', shortCircuit: true }
  if (specifier === 'fast-check' && isOurs(context.parentURL) && context.parentURL !== FAST_CHECK) {
    return { url: FAST_CHECK, format: 'module', shortCircuit: true }
  }
  // Child processes of the sources are loaded like the sources.
  if (specifier === 'tsx' && isOurs(context.parentURL)) return { url: REGISTER, format: 'module', shortCircuit: true }
  // A file that runs several times in one process has a query each time (scripts/mutation/host.ts).
  if (specifier === 'tap' && grouped.has(context.parentURL?.replace(/\?.*/, ''))) {
    return { url: `${TAP}?${encodeURIComponent(context.parentURL)}`, format: 'module', shortCircuit: true }
  }
  return next(specifier, context)
}

export function load(url, context, next) {
  if (!/^file:[^?#]*\.m?ts(?:[?#]|$)/.test(url)) return next(url, context)
  return { format: 'module', source: translateSync(fileURLToPath(url)), shortCircuit: true }
}

function isOurs(url) {
  return url?.startsWith(ROOT) && !url.startsWith(`${ROOT}node_modules/`)
}
