import { absentPackages, missingPackages } from '../../base/packages/import-packages.ts'
import { installCommand } from '../../base/packages/install-command.ts'
import type { OptionalPackages } from '../../base/packages/optional-packages.ts'
import type { ListedPlugin } from '../../config/plugin-list.ts'
import { checkOptions } from '../../kernel/options.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'
import { REDIS_PACKAGE } from '../../service/stores/redis.ts'
import { type Finding, failed, ok } from './finding.ts'

const NAME = 'packages'

/**
 * Checks that the npm packages are installed that the listed plugins need with their options. Packages of database
 * drivers, and those that only the running plugin knows, are reported by other checks.
 * @param areAbsent replaces the look-up of packages, for tests
 */
export function examinePackages(
  listed: readonly ListedPlugin[],
  schema: CompiledSchema | null,
  areAbsent: (names: readonly string[]) => readonly string[] = absentPackages,
): Finding {
  const needs = listed.flatMap((plugin) => needsOf(plugin, schema))
  const names = [...new Set(needs.flatMap(({ need }) => need.names))].sort()
  if (names.length === 0) return ok(NAME, 'the options of the plugins need no optional package')
  const missing = needs.filter(({ need }) => areAbsent(need.names).length > 0)
  if (missing.length === 0) return ok(NAME, `installed: ${names.join(', ')}`)
  const lines = new Set(missing.map(({ plugin, need }) => missingPackages(plugin, need).message))
  const all = [...new Set(missing.flatMap(({ need }) => need.names))]
  const together = lines.size === 1 ? [] : [`All of them: \`${installCommand(all)}\``]
  return failed(NAME, [...lines, ...together].join('\n'))
}

interface Needed {
  readonly plugin: string | null
  readonly need: OptionalPackages
}

function needsOf({ manifest, options: given }: ListedPlugin, schema: CompiledSchema | null): readonly Needed[] {
  const { value, faults } = checkOptions(manifest, given)
  // The check of the list reports these faults.
  if (faults.length > 0) return []
  const options = value as Readonly<Record<string, unknown>>
  if (options.enabled === false) return []
  const own = (manifest.packages ?? []).filter((need) => applies(need, options, manifest.name, schema))
  const store = typeof options.kvstore_url === 'string' && manifest.name !== 'observers'
  return [
    ...own.map((need) => ({ plugin: manifest.name, need })),
    ...(store ? [{ plugin: null, need: REDIS_PACKAGE }] : []),
  ]
}

function applies(
  { when }: OptionalPackages,
  options: Readonly<Record<string, unknown>>,
  plugin: string,
  schema: CompiledSchema | null,
): boolean {
  if (when === undefined) return false
  if (when === 'schema') return schema?.requires?.includes(plugin) === true
  const value = options[when.option]
  return when.is === undefined ? value !== undefined && value !== null : value === when.is
}
