import type { CompileContext } from '../ground/context.ts'
import { shownName } from '../passes/describe-source.ts'

/**
 * Warns of views that run with the rights of an owner to whom the row-level security policies of the tables do not
 * apply.
 */
export function checkBypassedPolicies(context: CompileContext): void {
  for (const [key, source] of context.sources) {
    for (const { table, owner } of context.catalog?.relations.get(key)?.bypasses ?? []) {
      context.report.warn(
        'bypassed-policies',
        `The view ${shownName(context, source)} runs with the rights of its owner "${owner}", whom the row-level security policies of ${table} do not hold: ` +
          'every reader of the view sees all of its rows. Create it WITH (security_invoker = true), or give it an owner without these rights.',
      )
    }
  }
}
