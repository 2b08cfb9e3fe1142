import type { Mutant } from './mutant.ts'

const MEMORY = ['test/plugins/graphql/document-memory.test.ts']
const OPTIONS = ['test/plugins/graphql/cache-options.test.ts']

/** Weights and eviction of documents and their plans. */
export const DOCUMENTS: readonly Mutant[] = [
  {
    fault: 'graphql.document_cache_bytes is ignored',
    file: 'plugins/graphql/index.ts',
    find: 'maxBytes: options.document_cache_bytes,\n      maxFailedBytes',
    replace: 'maxBytes: 33_554_432,\n      maxFailedBytes',
    tests: OPTIONS,
  },
  {
    fault: 'graphql.failed_document_cache_bytes is ignored',
    file: 'plugins/graphql/index.ts',
    find: 'maxFailedBytes: options.failed_document_cache_bytes',
    replace: 'maxFailedBytes: 2_097_152',
    tests: OPTIONS,
  },
  {
    fault: 'Documents that occur once evict recurring ones',
    file: 'plugins/graphql/document/document-cache.ts',
    find: 'if (hasRoom || seen.wasSeen(text)) documents.set',
    replace: 'documents.set',
    tests: MEMORY,
  },
  {
    fault: 'A full cache takes nothing any more',
    file: 'plugins/graphql/document/document-cache.ts',
    find: 'if (hasRoom || seen.wasSeen(text)) documents.set',
    replace: 'if (hasRoom) documents.set',
    tests: MEMORY,
  },
  {
    fault: 'A failure keeps the syntax tree of its document',
    file: 'plugins/graphql/document/document-cache.ts',
    find: "for (const each of [refusal, ...refusal.errors]) each.stack = ''",
    replace: '',
    tests: MEMORY,
  },
  {
    fault: 'Every validation leaves hidden classes behind',
    file: 'plugins/graphql/document/parse-document.ts',
    find: 'return (context) => Object.fromEntries(Object.entries(rule(context)))',
    replace: 'return rule',
    tests: MEMORY,
  },
  {
    fault: 'Plans weigh nothing',
    file: 'plugins/graphql/document/prepare-operation.ts',
    find: 'onPlanned: parts.onGrow,\n  }',
    replace: '}',
    tests: MEMORY,
  },
  {
    fault: 'A plan that is dropped weighs on',
    file: 'core/engine/plan/plan-cache.ts',
    find: 'if (byShape.size >= MOST_PLANS) bytes -= dropOldest(byShape)',
    replace: 'if (byShape.size >= MOST_PLANS) dropOldest(byShape)',
    tests: MEMORY,
  },
  {
    fault: 'Tokens weigh a fourth of their memory',
    file: 'plugins/graphql/document/prepared-document.ts',
    find: 'const BYTES_PER_TOKEN = 350',
    replace: 'const BYTES_PER_TOKEN = 90',
    tests: MEMORY,
  },
  {
    fault: 'A parameter weighs nothing',
    file: 'core/engine/sql/fragment.ts',
    find: 'const BYTES_PER_SLOT = 2000',
    replace: 'const BYTES_PER_SLOT = 0',
    tests: MEMORY,
  },
]
