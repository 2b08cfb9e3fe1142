import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The specifiers of static and dynamic imports, of `require` and of `require.resolve`. */
const IMPORT = /(?:\bfrom |\bimport\(|\brequire\(|\brequire\.resolve\()\s*['"]([^'"]+)['"]/g

/**
 * The packages of test/package.json that are not installed: clients and validators of other projects, which
 * `npm run tools` installs.
 */
export function missingTools(root: string = ROOT): readonly string[] {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'test/package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>
  }
  return Object.keys(dependencies).filter(
    (name) => !['test/node_modules', 'node_modules'].some((folder) => existsSync(join(root, folder, name))),
  )
}

/**
 * Which of these packages a test file imports, itself or through other files of test/.
 * @returns names in the order of `packages`
 */
export function importedTools(file: string, packages: readonly string[], root: string = ROOT): readonly string[] {
  if (packages.length === 0) return []
  const seen = new Set<string>()
  const found = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path) || !existsSync(path)) return
    seen.add(path)
    for (const [, specifier = ''] of readFileSync(path, 'utf8').matchAll(IMPORT)) {
      if (specifier.startsWith('.')) {
        const target = join(dirname(path), specifier)
        if (target.startsWith(join(root, 'test'))) visit(target)
        continue
      }
      const name = packages.find((one) => specifier === one || specifier.startsWith(`${one}/`))
      if (name !== undefined) found.add(name)
    }
  }
  visit(join(root, file))
  return packages.filter((name) => found.has(name))
}
