import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldErrorsOf } from '../../api/failure.js';
import { useMay, useOrganization, useParley } from '../../api/parley.js';
import { Button, buttonClass } from '../../parts/button.js';
import { FailureNote } from '../../parts/failure-note.js';
import { TextAreaField, TextField } from '../../parts/fields.js';
import { Card, EmptyState, Page } from '../../parts/page.js';
import { countOf } from '../../parts/words.js';
import { atFields } from './field-errors.js';
import { starters, type Starter } from './starters.js';
import styles from './new-agent-page.module.css';

export function NewAgentPage() {
  const may = useMay('editor');
  return (
    <Page
      title="New agent"
      lead="A name and instructions are enough to talk to it. You can set everything else later."
    >
      {may ? (
        <NewAgentForm />
      ) : (
        <EmptyState title="Your role cannot create agents">
          Ask an owner of the organization to make you an editor.
        </EmptyState>
      )}
    </Page>
  );
}

const [blank] = starters;

function NewAgentForm() {
  const { id: organizationId } = useOrganization();
  const parley = useParley();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [starter, setStarter] = useState(blank);
  const [name, setName] = useState('');
  const [instructions, setInstructions] = useState('');
  const create = useMutation({
    mutationFn: () =>
      parley.agents.create({ ...starter?.agent, name, systemMessage: instructions }),
    onSuccess: async ({ id: agentId }) => {
      await queryClient.invalidateQueries({ queryKey: [organizationId, 'agents'] });
      await navigate({
        to: '/$organizationId/agents/$agentId',
        params: { organizationId, agentId },
      });
    },
  });
  const errors = atFields(fieldErrorsOf(create.error));
  /** Keeps what was typed, but replaces what came from another template. */
  const choose = (next: Starter) => {
    if (name === '' || name === starter?.agent.name) setName(next.agent.name);
    if (instructions === '' || instructions === starter?.agent.systemMessage)
      setInstructions(next.agent.systemMessage);
    setStarter(next);
  };
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <Starters chosen={starter} onChoose={choose} />
      <Card>
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          error={errors.get('/name')}
          maxLength={200}
          autoComplete="off"
        />
        <TextAreaField
          label="Instructions"
          help="Followed in every conversation: who the agent is, what it does, and what it leaves to people."
          value={instructions}
          onChange={setInstructions}
          rows={10}
          error={errors.get('/systemMessage')}
        />
      </Card>
      <FailureNote error={create.error} />
      <div className={styles.actions}>
        <Link to="/$organizationId/agents" params={{ organizationId }} className={buttonClass()}>
          Cancel
        </Link>
        <Button type="submit" look="primary" busy={create.isPending} disabled={name.trim() === ''}>
          Create agent
        </Button>
      </div>
    </form>
  );
}

function Starters({
  chosen,
  onChoose,
}: {
  readonly chosen: Starter | undefined;
  readonly onChoose: (starter: Starter) => void;
}) {
  return (
    <fieldset>
      <legend className={styles.legend}>Start from</legend>
      <div className={styles.starters}>
        {starters.map((starter) => (
          <label key={starter.id} className={styles.starter}>
            <input
              type="radio"
              name="starter"
              checked={starter.id === chosen?.id}
              onChange={() => onChoose(starter)}
            />
            <span className={styles.words}>
              <strong>{starter.title}</strong>
              <span>{starter.about}</span>
              {starter.agent.tools && <small>{countOf(starter.agent.tools.length, 'tool')}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
