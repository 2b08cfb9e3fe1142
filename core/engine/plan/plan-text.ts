import type { Operand } from '../../contract/plan/condition.ts'
import type { GroupCondition, Guard, Page } from '../../contract/plan/read-plan.ts'
import type { LaidFilter } from '../../contract/plan/stored-value.ts'
import type { Slot } from '../../contract/slot.ts'

// Printing of the parts of a plan that do not refer to rows.

export function havingText(condition: GroupCondition, names: readonly string[]): string {
  if (condition.kind === 'not') return `not (${havingText(condition.condition, names)})`
  if (condition.kind === 'compare') return `${names[condition.column]} ${condition.operator} ?`
  return `(${condition.conditions.map((each) => havingText(each, names)).join(` ${condition.joint} `)})`
}

export function authoredText(parts: readonly (string | Slot)[]): string {
  return `(${parts.map((part) => (typeof part === 'string' ? part : '?')).join('')})`
}

export function filterText({ parts, only }: LaidFilter): string {
  return `${authoredText(parts)}${only === null ? '' : ` on ${only.typeName}`}`
}

export function operand(given: Operand): string {
  return given.kind === 'boolean' ? String(given.yes) : '?'
}

export function page({ limit, offset, guard }: Page): string {
  const parts = [limit === null ? '' : ` limit ${count(limit)}`, offset === null ? '' : ` offset ${count(offset)}`]
  return `${parts.join('')}${bound(guard)}`
}

export function bound(guard: Guard | null): string {
  return guard === null ? '' : ` at most ${guard.most}`
}

export function count(given: Page['limit']): string {
  return typeof given === 'number' ? String(given) : '?'
}
