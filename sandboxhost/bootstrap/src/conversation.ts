import { rows, type Answer, type Chunk, type Message, type Side, type State } from './protocol.gen'

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
  private readonly open = new Map<number, 'waiting' | 'flowing' | 'withdrawn'>() // asks of the running call that are not settled
  private readonly seqs = new Map<number, number>() // chunks so far of the bodies that flow
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

  /** The asks of the running call that wait for an answer or for the rest of its body. */
  get openAsks(): number {
    let waiting = 0
    for (const state of this.open.values()) if (state !== 'withdrawn') waiting++
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
        this.settleAll()
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
        return this.answer(m)
      case 'credit':
        return this.flows(m.ask) ?? 'accepted'
      case 'chunk':
        return this.flows(m.ask) ?? this.chunk(m)
      case 'ping':
        this.pings = m.seq
        break
      case 'pong':
        if (m.seq > this.pings || m.seq <= this.pongs) return 'breach'
        this.pongs = m.seq
        break
      case 'result':
      case 'failure':
        this.settleAll()
    }
    return 'accepted'
  }

  private settleAll(): void {
    this.open.clear()
    this.seqs.clear()
  }

  /** What is about a body that does not flow any more has crossed its end. */
  private flows(ask: number): Turn | undefined {
    if (!this.made(ask)) return 'breach'
    return this.open.get(ask) === 'flowing' ? undefined : this.drop()
  }

  /** Takes the pieces of a body in their order. */
  private chunk({ ask, seq, last }: Chunk): Turn {
    const next = this.seqs.get(ask) ?? 0
    if (seq !== next) return 'breach'
    this.seqs.set(ask, next + 1)
    if (last) {
      this.open.delete(ask)
      this.seqs.delete(ask)
    }
    return 'accepted'
  }

  /** Gives an open ask up, or the rest of its body. If the end was faster, the two have crossed. */
  private withdraw(ask: number): Turn {
    if (!this.made(ask)) return 'breach'
    const state = this.open.get(ask)
    if (state === 'waiting') this.open.set(ask, 'withdrawn')
    else if (state === 'flowing') this.open.delete(ask)
    else return this.drop()
    return 'accepted'
  }

  /** Settles an ask, once, or opens its body. The answer to one that was withdrawn has crossed the withdrawal. */
  private answer({ ask, body, error }: Answer): Turn {
    const state = this.open.get(ask)
    if (!this.made(ask) || state === undefined || state === 'flowing') return 'breach'
    this.open.delete(ask)
    if (state === 'withdrawn') return this.drop()
    if (body && !error) this.open.set(ask, 'flowing')
    return 'accepted'
  }

  private made(ask: number): boolean {
    return ask >= 1 && ask <= this.asks
  }
}
