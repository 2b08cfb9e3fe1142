import type { Mutant } from './mutant.ts'

const KINDS = ['test/core/kernel/kinds.test.ts']
const BOOT = ['test/core/kernel/boot.test.ts']
const PENDING = ['test/core/kernel/pending-work.test.ts']
const FITS = ['test/core/base/util/fits-schema.test.ts']
const GENERATION = ['test/core/kernel/generation.test.ts']

export const KERNEL: readonly Mutant[] = [
  {
    fault: 'Two branches of oneOf fit',
    file: 'core/base/util/fits-schema.ts',
    find: 'countFitting(oneOf, value) !== 1',
    replace: 'countFitting(oneOf, value) === 0',
    tests: FITS,
  },
  {
    fault: 'A keyword that is not read is passed over',
    file: 'core/base/util/plain-schema.ts',
    find: 'Object.hasOwn(KEYWORDS, keyword) && KEYWORDS[keyword]!(value)',
    replace: '!Object.hasOwn(KEYWORDS, keyword) || KEYWORDS[keyword]!(value)',
    tests: FITS,
  },
  {
    fault: 'next() may be called twice',
    file: 'core/kernel/kinds.ts',
    find: 'if (inner.called) throw nextTwice(hook.plugin)',
    replace: '',
    tests: KINDS,
  },
  {
    fault: 'A promise of undefined counts as a credential',
    file: 'core/kernel/kinds.ts',
    find: 'value === undefined ? from(index + 1, args) : value',
    replace: 'value',
    tests: KINDS,
  },
  {
    fault: 'Only the first hook of a series runs',
    file: 'core/kernel/kinds.ts',
    find: 'hook === undefined ? undefined : call(hook, args, () => from(index + 1, args))',
    replace: 'hook === undefined ? undefined : call(hook, args, () => undefined)',
    tests: KINDS,
  },
  {
    fault: 'A waterfall without an answer loses its value',
    file: 'core/kernel/kinds.ts',
    find: 'out === undefined ? value : out',
    replace: 'out',
    tests: KINDS,
  },
  {
    fault: 'A failing hook of settle stops the others',
    file: 'core/kernel/kinds.ts',
    find: `      } catch (error) {
        report.failed(plugin, error)
      }
    }`,
    replace: `      } catch (error) {
        report.failed(plugin, error)
        return
      }
    }`,
    tests: KINDS,
  },
  {
    fault: 'Close does not wait for work that was added while it waits',
    file: 'core/kernel/pending-work.ts',
    find: 'while (running.size > 0 && !late)',
    replace: 'if (running.size > 0)',
    tests: PENDING,
  },
  {
    fault: 'Close waits for ever for work that hangs',
    file: 'core/kernel/pending-work.ts',
    find: 'await Promise.race([Promise.all(running), deadline])',
    replace: 'await Promise.all(running)',
    tests: PENDING,
  },
  {
    fault: 'Close does not wait for afterCommit',
    file: 'core/kernel/kernel.ts',
    find: 'const left = await pending.settled(timeoutMs)',
    replace: 'const left = await pending.settled(0)',
    tests: BOOT,
  },
  {
    fault: 'Unknown options inside anyOf are taken',
    file: 'core/kernel/options.ts',
    find: 'if (Array.isArray(node)) return node.map(close)',
    replace: 'if (Array.isArray(node)) return node',
    tests: ['test/core/kernel/options.test.ts'],
  },
  {
    fault: 'A second close of the kernel closes again',
    file: 'core/kernel/kernel.ts',
    find: 'closing ??= closeAll(',
    replace: 'closing = closeAll(',
    tests: BOOT,
  },
  {
    fault: 'A plugin that fails to close says nothing',
    file: 'core/kernel/boot.ts',
    find: "closeFaults.push(toFault(error, plugin, 'to close'))",
    replace: '',
    tests: BOOT,
  },
  {
    fault: 'Resources of plugins set up before a failed boot stay open',
    file: 'core/kernel/kernel.ts',
    find: 'throw bootFailed([fault, ...(await setUp.close())])',
    replace: 'throw bootFailed([fault])',
    tests: BOOT,
  },
  {
    fault: 'A schema whose plugins are missing is swapped in',
    file: 'core/kernel/kernel.ts',
    find: 'if (fault !== undefined) throw new SvcError(fault.code, fault.message)',
    replace: '',
    tests: GENERATION,
  },
  {
    fault: 'Two reloads at once',
    file: 'core/service/plugins/reload.ts',
    find: 'busy = true',
    replace: 'busy = false as boolean',
    tests: GENERATION,
  },
  {
    fault: 'One failed reload is the last',
    file: 'core/service/plugins/reload.ts',
    find: `    } finally {
      busy = false`,
    replace: `    } finally {
      busy = true as boolean`,
    tests: GENERATION,
  },
  {
    fault: 'A plugin uses an undeclared dependency',
    file: 'core/kernel/create-scope.ts',
    find: 'if (found.plugin === name || declared.includes(found.plugin)) return found.value',
    replace: 'return found.value',
    tests: ['test/core/kernel/scope.test.ts'],
  },
  {
    fault: 'A route is mounted twice',
    file: 'core/service/plugins/route-table.ts',
    find: 'if (second.fallback === true) return first',
    replace: 'if (second.fallback !== false) return first',
    tests: ['test/core/kernel/scope.test.ts'],
  },
]
