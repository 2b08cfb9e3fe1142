import { type Operation, SvcError } from '../../../core/doors/plugin.ts'
import type { PreparedDocument } from './prepared-document.ts'

/**
 * Has all operations of a document planned, so that the first request for each finds its plan.
 * @param plan makes the plans of one operation and keeps them
 * @throws DocumentErrors, SvcError: no request for it can be answered
 */
export async function planDocument(
  document: PreparedDocument,
  plan: (operation: Operation) => Promise<void>,
): Promise<void> {
  for (const prepared of document.operations()) {
    for (const { operation, isMadeUp } of prepared.samples()) {
      try {
        await plan(operation)
      } catch (error) {
        // A value that was made up may be refused where one that somebody sends is not.
        if (!isMadeUp || !(error instanceof SvcError)) throw error
      }
    }
  }
}
