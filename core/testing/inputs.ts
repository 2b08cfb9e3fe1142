import type { Operation, OperationTemplate } from '../contract/operation.ts'

/**
 * Creates an operation for a test of hooks: by default a query that has no name and no root fields.
 * @param template members that replace the defaults
 */
export function testOperation(
  template: Partial<OperationTemplate> = {},
  variables: Readonly<Record<string, unknown>> = {},
): Operation {
  return {
    template: { kind: 'query', name: null, roots: [], variables: [], ...template },
    variables,
  }
}
