import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSchema } from '../../core/compiler/load.ts'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import { ROOT } from './svc-process.ts'

export interface BenchProject {
  readonly dir: string
  remove(): void
}

type Settings = Readonly<Record<string, Readonly<Record<string, string | number | boolean | readonly string[]>>>>

/** Settings of the kit project. */
const BASE: Settings = {
  project: { name: 'svc-bench' },
  server: { host: '127.0.0.1' },
  security: { default_policy: 'public' },
  plugins: { preset: 'standard' },
}

/** The schema of `bench/kit-project`: the four types that the kit's requests are made for. */
export async function readKitSchema(): Promise<AuthoredSchema> {
  return (await loadSchema(join(ROOT, 'bench', 'kit-project', 'schema.ts'))).schema
}

/**
 * Lays out a project in the temporary folder.
 * @param settings overrides for the kit project, by section
 */
export function writeBenchProject(schema: AuthoredSchema, settings: Settings = {}): BenchProject {
  const dir = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const sections = [...new Set([...Object.keys(BASE), ...Object.keys(settings)])].map((section) => {
    const keys = Object.entries({ ...BASE[section], ...settings[section] })
    return [`[${section}]`, ...keys.map(([key, value]) => `${key} = ${JSON.stringify(value)}`), ''].join('\n')
  })
  writeFileSync(join(dir, 'svc.toml'), sections.join('\n'))
  writeFileSync(
    join(dir, 'schema.json'),
    JSON.stringify(schema, (key, value) => (key === '$place' ? undefined : value)),
  )
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) }
}
