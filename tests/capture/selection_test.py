# SPDX-License-Identifier: Apache-2.0
"""What is captured: layers, GEMMs, steps, phases; what is refused; and that nothing hangs on a
model that isn't captured."""
import copy
import inspect
import unittest

import torch
from support import LINEAR, CaptureTest, Model, Trace, loss, tokens

from nibblecore_capture import CaptureError, capture
from nibblecore_capture.steps import StepFilter


def hooks(model):
    """How many forward hooks the model's modules have."""
    return sum(len(module._forward_hooks) for module in model.modules())


class SelectionTest(CaptureTest):
    def run_model(self, model, **arguments):
        with capture(model, self.path, **arguments):
            loss(model(tokens())).backward()
        return Trace(self.path)

    def layers_of(self, trace):
        return sorted({record["layer"] for record in trace.records})

    def test_every_field(self):
        record = self.run_model(Model()).one(layer="layers.1.up_proj", gemm="dgrad")
        del record["id"]
        self.assertEqual(record, {
            "phase": "train", "layer": "layers.1.up_proj", "gemm": "dgrad", "M": 150, "N": 64,
            "K": 96, "a": ["f32-00000.safetensors", "layers.1.up_proj.gradient"], "ta": 0,
            "b": ["f32-00000.safetensors", "layers.1.up_proj.weight"], "tb": 0, "quantize": True,
            "step": 0})

    def test_ids_count_in_order_of_the_run(self):
        trace = self.run_model(Model())
        self.assertEqual([record["id"] for record in trace.records], list(range(39)))
        self.assertEqual([record["layer"] for record in trace.records[:13]], LINEAR + ["lm_head"])
        self.assertEqual([record["layer"] for record in trace.records[13:15]],
                         ["lm_head", "lm_head"])

    def test_layers_by_expression(self):
        self.assertEqual(self.layers_of(self.run_model(Model(), layers=r"layers\.1\.(q|down)")),
                         ["layers.1.down_proj", "layers.1.q_proj"])

    def test_layers_by_name(self):
        trace = self.run_model(Model(), layers=["lm_head", "layers.0.k_proj"])
        self.assertEqual(self.layers_of(trace),
                         ["layers.0.k_proj", "lm_head"])

    def test_gemms(self):
        trace = self.run_model(Model(), gemms=("dgrad",))
        self.assertEqual({record["gemm"] for record in trace.records}, {"dgrad"})
        self.assertEqual(len(trace.tensors), 26)  # no input

    def test_products_that_autograd_leaves_out_are_left_out(self):
        layer = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Linear(8, 8))
        layer[1].weight.requires_grad_(False)  # frozen, as below an adapter
        with capture(layer, self.path):
            layer(torch.randn(4, 8)).sum().backward()
        found = [(record["layer"], record["gemm"]) for record in Trace(self.path).records]
        self.assertEqual(found, [("0", "fprop"), ("1", "fprop"), ("1", "dgrad"), ("0", "wgrad")])

    def test_head_and_router_stay_in_high_precision(self):
        names = ["lm_head", "mlp.gate", "mlp.gate_proj", "router", "mlp.shared_expert_gate",
                 "gateway"]
        model = torch.nn.Module()
        with capture(model, self.path) as recorder:
            for name in names:
                recorder.observe(name, torch.ones(1, 4), torch.ones(2, 4), torch.ones(1, 2))
        excluded = [record["layer"] for record in Trace(self.path).find(quantize=False)]
        self.assertEqual(excluded, ["lm_head", "mlp.gate", "router", "mlp.shared_expert_gate"])

    def test_other_layers_may_be_excluded(self):
        trace = self.run_model(Model(), quantize_exclude=r"layers\.0\.")
        self.assertEqual(len(trace.find(quantize=False, gemm="fprop")), 6)
        self.assertTrue(trace.one(layer="lm_head", gemm="fprop")["quantize"])

    def test_phases_nest(self):
        model = torch.nn.Sequential(torch.nn.Linear(4, 4))
        with capture(model, self.path, phase="warm") as recorder:
            model(torch.ones(1, 4))
            with recorder.phase("rollout.prefill"):
                with recorder.phase("rollout.decode0"):
                    model(torch.ones(1, 4))
                y = model(torch.ones(1, 4))
            y.sum().backward()  # belongs to the phase of its forward pass
        self.assertEqual([(r["phase"], r["gemm"]) for r in Trace(self.path).records],
                         [("warm", "fprop"), ("rollout.decode0", "fprop"),
                          ("rollout.prefill", "fprop"), ("rollout.prefill", "wgrad")])

    def test_steps(self):
        model = torch.nn.Sequential(torch.nn.Linear(4, 4))
        with capture(model, self.path, steps=[1, 3]) as recorder:
            for step in range(5):
                self.assertEqual(hooks(model), 1 if step in (1, 3) else 0)
                y = model(torch.full((1, 4), float(step)))
                recorder.step()
                y.sum().backward()  # still of the step of its forward pass
        self.assertEqual([(r["step"], r["gemm"]) for r in Trace(self.path).records],
                         [(1, "fprop"), (1, "wgrad"), (3, "fprop"), (3, "wgrad")])
        self.assertEqual(hooks(model), 0)

    def test_steps_in_the_words_of_transformer_engine(self):
        def selected(**words):
            return [step for step in range(20) if StepFilter(**words).selects(step)]

        self.assertEqual(selected(), list(range(20)))
        self.assertEqual(selected(freq=5), [0, 5, 10, 15])
        self.assertEqual(selected(freq=5, start_step=4, end_step=10), [5, 10])
        self.assertEqual(selected(start_step=17), [17, 18, 19])

    def test_copies_of_the_model_are_other_models(self):
        model = torch.nn.Sequential(torch.nn.Linear(4, 4))
        with capture(model, self.path):
            model(torch.ones(1, 4))
            copy.deepcopy(model)(torch.ones(2, 4))
        self.assertEqual([record["M"] for record in Trace(self.path).records], [1])

    def test_inputs_by_keyword(self):
        model = torch.nn.Sequential(torch.nn.Linear(4, 4))
        with capture(model, self.path) as recorder:
            model[0](torch.ones(1, 4))
            model[0](input=torch.ones(2, 4))
            # torch shows them to hooks from 2.0 on.
            shown = "with_kwargs" in inspect.signature(model.register_forward_hook).parameters
            self.assertEqual(recorder.gemms, 2 if shown else 1)
            self.assertEqual(recorder.skipped, {} if shown else {"input passed by keyword": 1})

    def test_step_can_be_set(self):
        model = torch.nn.Sequential(torch.nn.Linear(4, 4))
        with capture(model, self.path, freq=100, start_step=100) as recorder:
            for step in (0, 100, 150, 200):
                recorder.step(step)
                model(torch.ones(1, 4))
        self.assertEqual([record["step"] for record in Trace(self.path).records], [100, 200])

    def test_outputs_of_layers_without_bias(self):
        model = Model()
        trace = self.run_model(model, outputs=True)
        record = trace.one(layer="layers.1.k_proj", gemm="fprop")
        self.assert_product(trace.operand(record, "a"), trace.operand(record, "b").t(),
                            trace.operand(record, "out"))
        self.assertNotIn("out", trace.one(layer="layers.0.q_proj", gemm="fprop"))
        self.assertEqual(len([record for record in trace.records if "out" in record]), 3 + 6 + 1)

    def test_callback(self):
        seen = []

        def callback(gemm):
            seen.append((gemm.record, gemm.a().clone(), gemm.b().clone()))

        trace = self.run_model(Model(reentrant=False), callback=callback)
        self.assertEqual([record for record, _, _ in seen], trace.records)
        for record, a, b in seen:
            self.assertTrue(torch.equal(a, trace.operand(record, "a")))
            self.assertTrue(torch.equal(b, trace.operand(record, "b")))

    def test_wrapped_models_keep_their_names(self):
        class _Wrapper(torch.nn.Module):
            def __init__(self, inner):
                super().__init__()
                self._checkpoint_wrapped_module = inner

            def forward(self, x):
                return self._checkpoint_wrapped_module(x)

        model = Model()
        model.layers[1] = _Wrapper(model.layers[1])
        self.assertEqual(self.layers_of(self.run_model(model)), sorted(LINEAR + ["lm_head"]))

    def test_weights_stored_in_out(self):
        class Conv1D(torch.nn.Module):
            """As in GPT-2."""

            def __init__(self):
                super().__init__()
                self.nf = 6
                self.weight = torch.nn.Parameter(torch.randn(8, 6))
                self.bias = torch.nn.Parameter(torch.zeros(6))

            def forward(self, x):
                y = torch.addmm(self.bias, x.reshape(-1, 8), self.weight)
                return y.reshape(*x.shape[:-1], 6)

        model = torch.nn.Sequential(Conv1D())
        x = torch.randn(2, 5, 8, requires_grad=True)
        with capture(model, self.path):
            model(x).square().sum().backward()
        trace = Trace(self.path)
        fields = ("gemm", "M", "N", "K", "ta", "tb")
        self.assertEqual([tuple(r[field] for field in fields) for r in trace.records],
                         [("fprop", 10, 6, 8, 0, 0), ("dgrad", 10, 8, 6, 0, 1),
                          ("wgrad", 6, 8, 10, 1, 0)])
        wgrad = trace.records[2]
        self.assert_product(trace.operand(wgrad, "a").t(), trace.operand(wgrad, "b"),
                            model[0].weight.grad.t())

    def test_half_is_widened_and_other_types_are_refused(self):
        x = torch.tensor([[1.5, -2.0 ** -24]])
        with capture(torch.nn.Module(), self.path) as recorder:
            recorder.observe("l", x.half(), torch.ones(3, 2).half(), torch.ones(1, 3).half())
        trace = Trace(self.path)
        self.assertTrue(torch.equal(trace.operand(trace.records[0], "a"), x))
        with self.assertRaisesRegex(CaptureError, r"l.activation: is torch.float64; a trace holds"):
            with capture(torch.nn.Module(), self.path + "2") as recorder:
                recorder.observe("l", x.double(), torch.ones(3, 2), torch.ones(1, 3))

    def test_mistakes_are_named(self):
        mistakes = [
            (dict(layers="layers.7"), "layers: 'layers.7' matches none of the 13 linear layers"),
            (dict(layers=["layers.0.q"]),
             r"no linear layer is called 'layers.0.q' \(such as layers.0.q_proj"),
            (dict(layers="("), r"layers: '\(' is no regular expression"),
            (dict(gemms=("fprop", "bprop")), "gemms"),
            (dict(gemms="fprop"), "gemms"),
            (dict(steps=[1], freq=2), "steps: give either"),
            (dict(steps=[-1]), "steps: -1 is no step"),
            (dict(steps=[]), "steps: is empty"),
            (dict(freq=0), "freq: is 0"),
            (dict(start_step=5, end_step=4), "end_step: 4 lies before start_step 5"),
            (dict(rank=-1), "rank: -1"),
            (dict(phase=""), "phase: ''"),
            (dict(quantize_exclude="["), "quantize_exclude"),
        ]
        for arguments, reason in mistakes:
            with self.subTest(**arguments), self.assertRaisesRegex(CaptureError, reason):
                with capture(Model(), self.path, **arguments):
                    self.fail("began")
        self.assert_nothing_left()


if __name__ == "__main__":
    unittest.main()
