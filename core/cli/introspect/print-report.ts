import type { ReportEntry } from '../../introspect/proposal.ts'
import type { Disagreement } from './compare-schemas.ts'
import type { WritePlan } from './plan-write.ts'

/** Names that a line of the short form shows. */
const NAMES = 4
/** Lines of a group in the short form. */
const LINES = 6

/**
 * Formats which database objects a proposed schema leaves out or renames.
 * @param isVerbose `true`: lists all objects; `false`: groups them by reason, and lists only the first ones
 * @returns lines without an indent; empty when there is nothing to report
 */
export function printReport(report: readonly ReportEntry[], isVerbose: boolean): readonly string[] {
  const skipped = report.filter((entry) => 'reason' in entry)
  const renamed = report.filter((entry) => 'newName' in entry)
  const lines: string[] = []
  if (skipped.length > 0) lines.push(`Left out (${skipped.length}):`, ...printSkipped(skipped, isVerbose))
  if (renamed.length > 0) {
    const shown = isVerbose ? renamed : renamed.slice(0, LINES)
    lines.push(
      `Renamed (${renamed.length}):`,
      ...shown.map(({ kind, name, newName }) => `  ${kind} ${name} → ${newName}`),
    )
    if (shown.length < renamed.length) lines.push(`  and ${renamed.length - shown.length} more`)
  }
  return lines
}

function printSkipped(
  skipped: readonly (ReportEntry & { readonly reason: string })[],
  isVerbose: boolean,
): readonly string[] {
  if (isVerbose) return skipped.map(({ kind, name, reason }) => `  ${kind} ${name}: ${reason}`)
  const groups = new Map<string, (ReportEntry & { readonly reason: string })[]>()
  for (const entry of skipped) {
    const key = `${entry.kind}\n${entry.reason}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [entry])
    else group.push(entry)
  }
  const sorted = [...groups.values()].toSorted((a, b) => b.length - a.length)
  const lines = sorted.slice(0, LINES).map(printGroup)
  const rest = sorted.slice(LINES).reduce((sum, group) => sum + group.length, 0)
  return rest === 0 ? lines : [...lines, `  and ${rest} more`]
}

function printGroup(group: readonly (ReportEntry & { readonly reason: string })[]): string {
  const { kind, reason } = group[0]!
  const names = group.slice(0, NAMES).map(({ name }) => name)
  const more = group.length > NAMES ? ` and ${group.length - NAMES} more` : ''
  return `  ${kind} ${names.join(', ')}${more}: ${reason}`
}

/** Groups the objects that a proposed schema leaves out and those that it renames, for the output of `--json`. */
export function splitReport(report: readonly ReportEntry[]): {
  readonly left_out: object[]
  readonly renamed: object[]
} {
  return {
    left_out: report.filter((entry) => 'reason' in entry),
    renamed: report.filter((entry) => 'newName' in entry),
  }
}

const TITLES: readonly (readonly [Disagreement['missing'], string])[] = [
  ['database', 'In the schema, and not in the database'],
  ['schema', 'In the database, and not in the schema'],
  ['neither', 'Different'],
]
/** Lines of a file that are shown. */
const CHANGED_LINES = 40

/**
 * Formats the output of `svc introspect --diff`.
 * @param found differences between the schema and the database
 * @param plan changes that `--write` would make
 */
export function printDifferences(found: readonly Disagreement[], plan: WritePlan): string {
  if (found.length === 0 && plan.changes.length === 0) return 'The schema and the database agree.\n'
  const lines: string[] = []
  for (const [missing, title] of TITLES) {
    const group = found.filter((one) => one.missing === missing)
    if (group.length === 0) continue
    lines.push(
      `${title} (${group.length}):`,
      ...group.map(({ kind, name, message }) => `  ${kind} ${name} ${message}`),
      '',
    )
  }
  if (found.length === 0) lines.push('The schema and the database agree.', '')
  const changes = plan.changes.flatMap(({ path, added, removed, text }) => {
    const all = [...removed.map((line) => `  - ${line.trim()}`), ...added.map((line) => `  + ${line.trim()}`)]
    const more = all.length > CHANGED_LINES ? [`    and ${all.length - CHANGED_LINES} more lines`] : []
    return [`${path}${text === null ? ' (removed)' : ''}`, ...all.slice(0, CHANGED_LINES), ...more]
  })
  if (changes.length > 0)
    lines.push('`svc introspect --write` would change:', ...changes.map((line) => `  ${line}`), '')
  lines.push(...printConflicts(plan))
  if (plan.note !== null) lines.push(plan.note)
  return `${lines.join('\n').trimEnd()}\n`
}

/** Formats the output of `svc introspect --write`: the changed files and the conflicts. */
export function printWritten(plan: WritePlan): string {
  const files = plan.changes.map(({ path, text, added, removed }) =>
    text === null ? `removed ${path}` : `${path}  +${added.length} -${removed.length}`,
  )
  const lines = files.length === 0 ? ['Nothing to change.'] : [...files, 'Next: npx svc compile']
  return `${[...lines, ...printConflicts(plan), ...(plan.note === null ? [] : [plan.note])].join('\n').trimEnd()}\n`
}

function printConflicts({ conflicts }: WritePlan): readonly string[] {
  if (conflicts.length === 0) return []
  const lines = conflicts.map(({ path, name, wanted }) => {
    const change =
      wanted === null ? 'the database no longer has it' : `would be: ${wanted.trim().replaceAll(/\s*\n\s*/g, ' ')}`
    return `  ${path} ${name}: ${change}`
  })
  return [`Edited by hand, and left as they are (${conflicts.length}):`, ...lines]
}
