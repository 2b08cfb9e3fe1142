import { ResultTooLarge } from '../../../base/errors/result-too-large.ts'
import type { CommittedWrite } from '../../../contract/committed-write.ts'
import type { OperationTemplate } from '../../../contract/operation.ts'
import type { Result } from '../../../contract/result.ts'
import { readMembers, writeMembers } from '../../json/json-text.ts'

/**
 * Joins the answers of the parts of an operation, in the order of its root fields.
 * @throws ResultTooLarge
 */
export function joinResults(template: OperationTemplate, results: readonly Result[], maxResultBytes: number): Result {
  const errors = results.flatMap((result) => result.errors ?? [])
  const writes = results.flatMap((result): readonly CommittedWrite[] => result.writes ?? [])
  const told = {
    errors: errors.length === 0 ? null : errors,
    ...(results.some((result) => result.writes !== undefined) ? { writes } : {}),
  }
  const texts = results.map(({ data }) => data)
  if (texts.some((text) => text === null)) return { data: null, ...told }
  const found = new Map(texts.flatMap((text) => [...readMembers(text ?? '{}')]))
  const data = writeMembers(
    template.roots.map((root): [string, string] => {
      if (root.kind === 'typename') return [root.responseKey, JSON.stringify(root.typeName)]
      if (root.kind === 'literal') return [root.responseKey, root.json]
      return [root.responseKey, found.get(root.responseKey) ?? 'null']
    }),
  )
  if (data.length > maxResultBytes) throw new ResultTooLarge(maxResultBytes)
  return { data, ...told }
}
