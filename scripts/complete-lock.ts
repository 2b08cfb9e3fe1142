/**
 * `npm run lock`: adds to package-lock.json the optional packages of other platforms that npm omits when it cannot
 * read them from the current registry. `npm ci` needs an entry for each; it installs only those of the machine. The
 * packages' names contain platform and processor.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface LockEntry {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const path = fileURLToPath(new URL('../package-lock.json', import.meta.url))
const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, LockEntry> }
const OS = ['android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32', 'aix']
const CPU = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32']

const added: string[] = []
for (const [parent, { optionalDependencies, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    if (lock.packages[key] !== undefined || lock.packages[`${parent}/${key}`] !== undefined) continue
    const words = name.split(/[/-]/)
    const os = OS.find((word) => words.includes(word))
    const cpu = CPU.find((word) => words.includes(word))
    if (os === undefined && cpu === undefined)
      throw new Error(`${name} of ${parent}: its platform cannot be read from its name`)
    const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : undefined
    lock.packages[key] = {
      version,
      ...(cpu === undefined ? {} : { cpu: [cpu] }),
      ...(dev === true ? { dev } : {}),
      ...(libc === undefined ? {} : { libc }),
      optional: true,
      ...(os === undefined ? {} : { os: [os] }),
    }
    added.push(name)
  }
}

const packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(path, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`)
process.stdout.write(`${added.length} optional packages added\n`)
