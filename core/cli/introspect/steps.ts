import type { CommandIo, CommandOption } from '../command/command.ts'

/** Time after which a step is shown, so that a small database prints no progress. */
const SHOWN_AFTER_MS = 400
const REFRESH_MS = 200
const BAR = 20

/** The flag `--quiet`: no progress is shown. */
export const QUIET_FLAG: CommandOption = {
  name: 'quiet',
  short: 'q',
  type: 'boolean',
  description: 'Show no progress bar. Without a terminal there is none.',
}

/** Shows on a terminal how far a command has got: a progress bar, the name of the current step, and its duration. */
export class Steps {
  readonly #io: Pick<CommandIo, 'stderr' | 'isTerminal'>
  readonly #total: number
  #done = 0

  /**
   * @param total number of steps
   * @param isQuiet shows nothing
   */
  constructor(io: Pick<CommandIo, 'stderr' | 'isTerminal'>, total: number, isQuiet = false) {
    this.#io = { stderr: (text) => io.stderr(text), isTerminal: io.isTerminal && !isQuiet }
    this.#total = total
  }

  async run<T>(title: string, work: () => Promise<T>): Promise<T> {
    const started = performance.now()
    const draw = (): void => {
      const filled = Math.round((BAR * this.#done) / this.#total)
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      this.#io.stderr(`\r\x1b[K[${'='.repeat(filled).padEnd(BAR)}] ${title} … ${seconds} s`)
      isDrawn = true
    }
    let isDrawn = false
    let timer: NodeJS.Timeout | undefined
    if (this.#io.isTerminal) {
      timer = setTimeout(() => {
        draw()
        timer = setInterval(draw, REFRESH_MS)
      }, SHOWN_AFTER_MS)
      // A step without a pause would block the timer, so a long command shows it before it begins.
      if (performance.now() - this.#started > SHOWN_AFTER_MS) draw()
      await new Promise((resolve) => setImmediate(resolve))
    }
    try {
      return await work()
    } finally {
      clearTimeout(timer)
      clearInterval(timer)
      if (isDrawn) this.#io.stderr('\r\x1b[K')
      this.#done++
    }
  }

  readonly #started = performance.now()
}
