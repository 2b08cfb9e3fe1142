import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** All files below a folder of the project, as paths relative to the root. */
export function listFiles(folder: string, extension: string): readonly string[] {
  const found: string[] = []
  const walk = (absolute: string): void => {
    for (const entry of readdirSync(absolute, { withFileTypes: true })) {
      if (entry.name === 'node_modules' || entry.name.startsWith('.')) continue
      const path = join(absolute, entry.name)
      if (entry.isDirectory()) walk(path)
      else if (entry.name.endsWith(extension)) found.push(relative(ROOT, path))
    }
  }
  walk(join(ROOT, folder))
  return found.sort()
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** Specifiers of the static imports, re-exports and dynamic imports of a source text. */
export function importsOf(source: string): readonly string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const found = new Set<string>()
  for (const match of code.matchAll(/(?:^|[\s;])(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]/g))
    found.add(match[1]!)
  for (const match of code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)) found.add(match[1]!)
  return [...found]
}
