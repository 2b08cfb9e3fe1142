import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { versionOf } from '../../base/packages/install-command.ts'
import { PACKAGE_NAME, readOwnPackage } from '../../base/packages/own-package.ts'
import type { AuthoringLanguage } from '../../introspect/print-schema.ts'
import { LANGUAGES } from '../introspect/authoring-languages.ts'
import type { Template } from './templates/template.ts'

type Manifest = { [key: string]: unknown }

/** Script `test` of a new project's package.json. The shell, or Node 21 and newer, expands its file pattern. */
export const TEST_SCRIPT = 'node --import=tsx --test test/*.test.ts'

const SCRIPTS = {
  compile: 'svc compile',
  start: 'svc run',
  dev: 'svc dev',
  test: TEST_SCRIPT,
  types: 'tsc -p .',
}

/**
 * Returns the text of package.json for a project that `svc init` creates. An existing package.json keeps its members
 * and gets the missing ones.
 * @param folder absolute path of the project
 * @param existing text of the existing package.json; `null`: there is none
 * @param packages optional peers of svc that the database needs
 * @throws SyntaxError when the existing text is no JSON
 */
export function printPackageJson(
  folder: string,
  name: string,
  existing: string | null,
  packages: readonly string[] = [],
): string {
  const { dependencies: ownDependencies, devDependencies } = readOwnPackage().manifest
  const needed = Object.fromEntries(packages.map((one) => [one, versionOf(one)]))
  const fresh = { name: packageName(name), version: '1.0.0', private: true, type: 'module' }
  const manifest: Manifest = existing === null ? fresh : JSON.parse(existing)
  const dependencies = tableOf(manifest.dependencies)
  const development = tableOf(manifest.devDependencies)
  const merged = {
    ...manifest,
    scripts: { ...SCRIPTS, ...withoutPlaceholder(tableOf(manifest.scripts)) },
    dependencies: { ...('svc' in development ? {} : { svc: svcDependency(folder) }), ...needed, ...dependencies },
    devDependencies: {
      '@types/node': devDependencies['@types/node'],
      tsx: ownDependencies?.tsx,
      typescript: devDependencies.typescript,
      ...development,
    },
  }
  return `${JSON.stringify(merged, null, 2)}\n`
}

function tableOf(value: unknown): Manifest {
  return typeof value === 'object' && value !== null ? (value as Manifest) : {}
}

/** Removes the failing test script that `npm init -y` writes. */
function withoutPlaceholder({ test, ...scripts }: Manifest): Manifest {
  return test === undefined || String(test).includes('no test specified') ? scripts : { ...scripts, test }
}

/** Converts the name of a folder to a valid name of a package. */
function packageName(name: string): string {
  const fit = name
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return fit === '' ? 'svc-app' : fit
}

/**
 * Content of tsconfig.json in a project that `svc init` creates, for editors and `npm run types`. svc itself does not
 * read it.
 */
export const TSCONFIG = `{
  "compilerOptions": {
    "target": "es2023",
    "lib": ["es2023", "esnext.decorators"],
    "module": "esnext",
    "moduleResolution": "bundler",
    "allowImportingTsExtensions": true,
    "types": ["node"],
    "strict": true,
    "skipLibCheck": true,
    "noEmit": true
  },
  "include": ["*.ts", "plugins/**/*.ts", "test/**/*.ts"]
}
`

/**
 * Returns the version or path of `svc` for the dependencies in package.json, so that `npm install` installs the svc
 * that is running: a checkout by its path, an installation from its origin.
 * @param folder absolute path of the project
 * @param own package of the running svc
 */
export function svcDependency(folder: string, own = readOwnPackage()): string {
  const modules = dirname(own.folder)
  if (basename(modules) !== 'node_modules') return fileFrom(folder, own.folder)
  const origin = readOrigin(join(modules, '.package-lock.json'), basename(own.folder))
  if (origin?.startsWith('file:')) return fileFrom(folder, resolve(dirname(modules), origin.slice('file:'.length)))
  if (origin?.startsWith('git')) return origin
  return `npm:${PACKAGE_NAME}@^${own.manifest.version}`
}

function fileFrom(folder: string, target: string): string {
  return `file:${relative(folder, target).split(sep).join('/')}`
}

/** Returns the origin of an installed package: `file:…`, `git+ssh://…#hash`, or the URL of a registry. */
function readOrigin(lock: string, name: string): string | undefined {
  if (!existsSync(lock)) return undefined
  const { packages = {} } = JSON.parse(readFileSync(lock, 'utf8')) as {
    packages?: Record<string, { readonly resolved?: string }>
  }
  return packages[`node_modules/${name}`]?.resolved
}

/** Lines of svc.toml by database. */
const DATABASES = {
  pglite: {
    enable: [],
    database: `# Without DATABASE_URL: the embedded PostgreSQL, in a folder of this project, filled from db/ on the first start.
[database]
url = "\${DATABASE_URL:-pglite:.svc/data}"
`,
  },
  sqlite: {
    enable: ['sqlite'],
    database: `# Without DATABASE_URL: an SQLite file in this project, filled from db/ on the first start.
[database]
url = "\${DATABASE_URL:-sqlite:.svc/data.db}"
functions = "db/functions"          # scripts that stand in for stored functions
`,
  },
} as const

/** The section [security] by policy. */
const POLICIES = {
  public: `# The API accepts requests without a credential, so that you can try it at once. Before you publish it:
# "authenticated" here, a secret that tokens are signed with in JWT_SECRET (openssl rand -hex 32), or the issuer that makes
# them in jwt_issuer (the guide "Authenticate callers"), and \`public: true\` in schema.ts on what stays open.
[security]
default_policy = "public"
`,
  authenticated: `# Every operation requires a credential. JWT_SECRET holds the secret that tokens are signed with (openssl rand -hex 32), or
# jwt_issuer names the issuer that makes them (the guide "Authenticate callers").
[security]
default_policy = "authenticated"
`,
} as const

/**
 * Returns the text of svc.toml for a project that `svc init` creates.
 * @param name name of the project
 */
export function printConfig(
  name: string,
  database: keyof typeof DATABASES = 'pglite',
  { policy, more, enable = [] }: Pick<Template, 'policy' | 'more' | 'enable'> = { policy: 'public', more: '' },
  language: AuthoringLanguage = 'typescript',
): string {
  const chosen = DATABASES[database]
  const enabled = [...chosen.enable, ...enable]
  return `[project]
name = ${JSON.stringify(name)}

[plugins]
preset = "standard"                 # minimal | standard | full
${enabled.length === 0 ? '' : `enable = ${JSON.stringify(enabled)}\n`}
${chosen.database}
# Only this machine reaches it. In a container, or behind a proxy on another machine: "0.0.0.0".
[server]
host = "127.0.0.1"

[svc]
schema_file = "${LANGUAGES[language].entry}"

${policyIn(language, POLICIES[policy])}${more}`
}

function policyIn(language: AuthoringLanguage, text: string): string {
  return language === 'python' ? text.replace('`public: true` in schema.ts', '`public=True` in schema.py') : text
}

/** Content of .gitignore in a project that `svc init` creates. */
export const GITIGNORE = `.svc/
node_modules/
schema.compiled.json
`
