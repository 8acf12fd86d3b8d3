import { rows, type Message, type Side, type State } from './protocol.gen'

/** The verdict on a message; late ones are dropped, a breach changes nothing. */
export type Turn = 'accepted' | 'late' | 'breach'

/**
 * Follows one sandbox from start to end and judges every message of both sides. It is the twin of core/protocol/conversation.go,
 * and both are held to the conversations in core/protocol/testdata.
 */
export class Conversation {
  private now: State = 'new'
  private latest = 0
  private asks = 0 // of the running call so far
  private readonly open = new Map<number, 'waiting' | 'withdrawn'>() // asks of the running call that were not answered
  private lates = 0
  private pings = 0
  private pongs = 0

  get state(): State {
    return this.now
  }

  /** The id of the latest call, 0 before the first. */
  get call(): number {
    return this.latest
  }

  get lateCount(): number {
    return this.lates
  }

  /** The asks of the running call that wait for an answer. */
  get openAsks(): number {
    let waiting = 0
    for (const state of this.open.values()) if (state === 'waiting') waiting++
    return waiting
  }

  /** Ends the conversation from outside. */
  end(): void {
    this.now = 'ended'
  }

  /** Judges one well-formed message. */
  next(by: Side, m: Message): Turn {
    const row = rows[m.kind]
    if (row.by !== by) return 'breach'
    if (this.now === 'ended') return by === 'host' ? 'breach' : this.drop()
    // What a tool says of a call, and what the host answers to it, may cross the end of the call.
    if (by !== 'supervisor' && m.kind !== 'call' && m.kind !== 'cancel' && 'call' in m) {
      if (m.call > this.latest || m.call < 1) return 'breach'
      if (m.call < this.latest || this.now !== 'running') return this.drop()
    }
    if (!row.in.includes(this.now)) return 'breach'
    const turn = this.step(m)
    if (turn === 'accepted' && row.then !== '') this.now = row.then
    return turn
  }

  private drop(): Turn {
    this.lates++
    return 'late'
  }

  /** Checks the ids that a message carries and remembers what it opens or closes. */
  private step(m: Message): Turn {
    switch (m.kind) {
      case 'call':
        if (m.call !== this.latest + 1) return 'breach'
        this.latest = m.call
        this.asks = 0
        this.open.clear()
        break
      case 'cancel':
        if (m.call !== this.latest) return 'breach'
        break
      case 'ask':
        if (m.ask !== this.asks + 1) return 'breach'
        this.asks++
        this.open.set(m.ask, 'waiting')
        break
      case 'ask_cancel':
        return this.withdraw(m.ask)
      case 'answer':
        return this.answer(m.ask)
      case 'credit':
      case 'chunk':
        return this.made(m.ask) ? 'accepted' : 'breach'
      case 'ping':
        this.pings = m.seq
        break
      case 'pong':
        if (m.seq > this.pings || m.seq <= this.pongs) return 'breach'
        this.pongs = m.seq
        break
      case 'result':
      case 'failure':
        this.open.clear()
    }
    return 'accepted'
  }

  /** Gives an open ask up. If its answer was faster, the two have crossed. */
  private withdraw(ask: number): Turn {
    if (!this.made(ask)) return 'breach'
    if (this.open.get(ask) !== 'waiting') return this.drop()
    this.open.set(ask, 'withdrawn')
    return 'accepted'
  }

  /** Settles an ask, once. The answer to one that was withdrawn has crossed the withdrawal. */
  private answer(ask: number): Turn {
    const state = this.open.get(ask)
    if (!this.made(ask) || state === undefined) return 'breach'
    this.open.delete(ask)
    return state === 'withdrawn' ? this.drop() : 'accepted'
  }

  private made(ask: number): boolean {
    return ask >= 1 && ask <= this.asks
  }
}
